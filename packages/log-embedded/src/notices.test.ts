import { afterEach, expect, test } from '@jest/globals'
import { type Notices, openNotices } from './notices.ts'

const opened: Notices[] = []
const open = (): Notices => {
  const notices = openNotices('a folder')
  opened.push(notices)
  return notices
}
const countsOf = (notices: Notices) => [0, 1, 2].map((partition) => notices.countIn('payments', partition))

afterEach(() => {
  for (const notices of opened.splice(0)) notices.close()
})

test('who announces counts at once, others when they are told: of partitions that may have grown', async () => {
  const [one, other] = [open(), open()]
  other.listen('payments')
  one.announce('payments', 2)
  one.announce('payments', 2)
  one.announce('payments', 0)
  expect([countsOf(one), countsOf(other)]).toEqual([
    [1, 0, 2],
    [0, 0, 0],
  ])
  await other.after('payments', 0)
  expect([countsOf(other), other.count('payments')]).toEqual([[1, 0, 1], 1])
})

test('nobody hears of a topic that it does not listen to, nor of what others only tell themselves', async () => {
  const [one, other] = [open(), open()]
  other.listen('payments')
  one.announce('config', 0)
  one.tell('payments', 1)
  one.announce('payments', 0)
  await other.after('payments', 0)
  expect([countsOf(other), other.count('config')]).toEqual([[1, 0, 0], 0])
})

test('who waits is woken without anything new, and by the end', async () => {
  const notices = open()
  const woken = notices.after('payments', 0)
  notices.wake('payments')
  await woken
  expect(countsOf(notices)).toEqual([0, 0, 0])
  const ended = notices.after('payments', 1)
  notices.close()
  await ended
})
