import { LARGE_BODIES_BYTES_MAX, SMALL_BODY_BYTES_MAX } from '../limits.ts'
import type { Access } from '../route.ts'

/** The place of one body among those that are collected at the same time. */
interface BodyPlace {
  /** Takes room for so many bytes of the body in all; false when there is none, and it keeps what it had. */
  readonly grow: (byteCount: number) => boolean
  readonly leave: () => void
}

/** Memory that bodies share while they come. */
export interface BodyRoom {
  readonly enter: () => BodyPlace
}

/** Room for so many bytes, beside the first {@link SMALL_BODY_BYTES_MAX} of each body. */
export const createBodyRoom = (byteCountMax: number = LARGE_BODIES_BYTES_MAX): BodyRoom => {
  let takenCount = 0
  return {
    enter: () => {
      let ownCount = 0
      return {
        grow: (byteCount) => {
          const wanted = Math.max(0, byteCount - SMALL_BODY_BYTES_MAX)
          if (takenCount - ownCount + wanted > byteCountMax) return false
          takenCount += wanted - ownCount
          ownCount = wanted
          return true
        },
        leave: () => {
          takenCount -= ownCount
          ownCount = 0
        },
      }
    },
  }
}

/** Whoever is known before the body is read does not have to share with everybody. */
const ofKnown = createBodyRoom()
const ofAnybody = createBodyRoom()

/** The room of this thread for bodies of routes with this access. */
export const bodyRoomOf = (access: Access): BodyRoom => (access === 'protected' || access === 'session' ? ofKnown : ofAnybody)
