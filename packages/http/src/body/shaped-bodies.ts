import { SHAPED_BODY_BYTES_MAX } from '../limits.ts'
import { type JsonShape, shapeOf } from './json-shape.ts'

/** Shapes that are tried for a body: clients of a route are of few kinds. */
const SHAPE_COUNT_MAX = 8
/** Of bodies without a known shape, one of so many gives one, by chance: of what comes in turns each has its own. */
const LEARN_ONE_OF = 16
/** New shapes in a period once there are {@link SHAPE_COUNT_MAX}: making one takes as long as reading fifty bodies, and another has to go. */
const RENEWED_COUNT_MAX = 2
/** So many bodies tell whether it is worth while: where fewer than half have a known shape, none is tried for as many. */
const PERIOD_COUNT = 1_024

/** Bodies of one route, read by the shapes of those before. No answer depends on which are known. */
export interface ShapedBodies {
  /** The value of a body of a known shape, as `parseJson` gives it; undefined for any other. */
  readonly read: (bytes: Buffer) => object | undefined
  /** Hears of a body that `parseJson` has read. */
  readonly learn: (bytes: Buffer) => void
}

/** Shapes by how recently they were met. */
const createRecentShapes = () => {
  const shapes: JsonShape[] = []
  return {
    read: (bytes: Buffer): object | undefined => {
      for (let index = 0; index < shapes.length; index++) {
        const shape = shapes[index]
        const value = shape?.read(bytes)
        if (shape === undefined || value === undefined) continue
        if (index > 0) shapes.unshift(...shapes.splice(index, 1))
        return value
      }
      return undefined
    },
    add: (shape: JsonShape): void => {
      if (shapes.unshift(shape) > SHAPE_COUNT_MAX) shapes.pop()
    },
    count: (): number => shapes.length,
  }
}

/** {@link ShapedBodies} of a route that was not asked for yet; `random` gives 0 up to 1. */
export const createShapedBodies = (random: () => number = Math.random): ShapedBodies => {
  const shapes = createRecentShapes()
  let bodyCount = 0
  let readCount = 0
  let missesUntilLearning = 0
  let renewedCount = 0
  let isResting = false

  const mayLearn = (): boolean => {
    if (missesUntilLearning-- > 0 || renewedCount >= RENEWED_COUNT_MAX) return false
    missesUntilLearning = Math.floor(random() * 2 * LEARN_ONE_OF)
    return true
  }

  const count = (): void => {
    bodyCount += 1
    if (bodyCount < PERIOD_COUNT) return
    isResting = !isResting && readCount * 2 < bodyCount
    bodyCount = 0
    readCount = 0
    renewedCount = 0
  }

  return {
    read: (bytes) => {
      count()
      if (isResting || bytes.length > SHAPED_BODY_BYTES_MAX) return undefined
      const value = shapes.read(bytes)
      if (value !== undefined) readCount += 1
      return value
    },
    learn: (bytes) => {
      if (isResting || bytes.length > SHAPED_BODY_BYTES_MAX || !mayLearn()) return
      const shape = shapeOf(bytes.toString('latin1'))
      if (shape === undefined) return
      if (shapes.count() >= SHAPE_COUNT_MAX) renewedCount += 1
      shapes.add(shape)
    },
  }
}
