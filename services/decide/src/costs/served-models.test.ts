import { describe, expect, test } from '@jest/globals'
import { buffersOf, compileLearnedCosts } from '@switchyard/costs'
import { ServedModels } from './served-models.ts'

const newsOf = (merchantId: string, offset: number) => {
  const costs = compileLearnedCosts({ accounts: [], productByBin: new Map([['400000', 'gold']]) })
  return { merchantId, merchantRegistrationCount: 1, position: { partition: 0, offset }, costs }
}

const byteCountOf = ({ costs }: ReturnType<typeof newsOf>): number =>
  buffersOf(costs).reduce((count, { byteLength }) => count + byteLength, 0)

describe('served models', () => {
  test('the memory of a model that is replaced, or of a merchant that is forgotten, is taken back at once', () => {
    const takenBack: ArrayBuffer[] = []
    const models = new ServedModels((memory) => {
      takenBack.push(...structuredClone(memory, { transfer: [...memory] }))
    })
    const [first, second, other] = [newsOf('m1', 1), newsOf('m1', 2), newsOf('m2', 3)]
    const size = byteCountOf(first)
    for (const news of [first, second, other]) models.serve(news)
    const takenBytes = (): number => takenBack.reduce((count, { byteLength }) => count + byteLength, 0)
    expect(takenBytes()).toBe(size)
    expect([first, second, other].map((news) => byteCountOf(news) > 0)).toEqual([false, true, true])
    expect(models.of('m1')?.index.productOf('400000')).not.toBe(models.of('m1')?.index.productOf(''))
    models.forget('m1')
    expect(models.of('m1')).toBeUndefined()
    expect([second, other].map((news) => byteCountOf(news) > 0)).toEqual([false, true])
    expect(takenBytes()).toBe(2 * size)
  })
})
