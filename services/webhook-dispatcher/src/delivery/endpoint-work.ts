import type { Lane } from '@switchyard/webhooks'
import { type EndpointId, LANES } from './due-chains.ts'

/** What is known of the work of one endpoint; times are epoch milliseconds. */
export interface EndpointWork extends EndpointId {
  /** The key of the engine. */
  readonly id: string
  /** When to look into the index; infinite when there is nothing to find. */
  lookAt: number
  isLooking: boolean
  /** It was short, and has room again: what it takes next is waited for. */
  isHungry: boolean
  readonly lanes: Readonly<Record<Lane, LaneWork>>
}

/** What is known of a lane of an endpoint: a backlog of retries says nothing about its new events. */
interface LaneWork {
  /** More is due than was taken. */
  isShort: boolean
  /** Chains that wait or are under way. */
  heldCount: number
}

/** The endpoints that have something to do, by their keys. */
export interface EndpointWorks {
  readonly of: (id: EndpointId) => EndpointWork
  readonly find: (id: string) => EndpointWork | undefined
  /** Those to look for now; forgets those without anything to do. */
  readonly toLookFor: (now: number) => readonly EndpointWork[]
}

const NEVER = Number.POSITIVE_INFINITY

/** The key of an endpoint: structured, never joined (law 9). */
export const keyOfEndpoint = ({ merchantId, profileId }: EndpointId): string => JSON.stringify([merchantId, profileId])

/** Looks no later than at `at`. */
export const lookBy = (work: EndpointWork, at: number): void => {
  work.lookAt = Math.min(work.lookAt, at)
}

/** Nothing is known of any endpoint. */
export const createEndpointWorks = (): EndpointWorks => {
  const works = new Map<string, EndpointWork>()

  const isIdle = ({ lookAt, isLooking, lanes }: EndpointWork): boolean =>
    lookAt === NEVER && !isLooking && LANES.every((lane) => !lanes[lane].isShort && lanes[lane].heldCount === 0)

  return {
    find: (id) => works.get(id),
    of: ({ merchantId, profileId }) => {
      const id = keyOfEndpoint({ merchantId, profileId })
      const known = works.get(id)
      if (known !== undefined) return known
      const work = {
        id,
        merchantId,
        profileId,
        lookAt: NEVER,
        isLooking: false,
        isHungry: false,
        lanes: { new: { isShort: false, heldCount: 0 }, retry: { isShort: false, heldCount: 0 } },
      }
      works.set(id, work)
      return work
    },
    toLookFor: (now) => {
      const due: EndpointWork[] = []
      for (const [id, work] of works) {
        if (isIdle(work)) works.delete(id)
        else if (work.lookAt <= now && !work.isLooking) due.push(work)
      }
      return due
    },
  }
}
