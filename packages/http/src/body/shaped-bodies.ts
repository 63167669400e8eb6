import { SHAPED_BODY_BYTES_MAX } from '../limits.ts'
import { type JsonShape, shapeOf } from './json-shape.ts'

/** Shapes that are tried for a body: clients of a route are of few kinds. */
const SHAPE_COUNT_MAX = 8
/** Of bodies without a known shape, each so many-th gives one: making it takes as long as reading ten. */
const LEARN_EVERY = 16
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
    read: (text: string, bytes: Buffer): object | undefined => {
      for (let index = 0; index < shapes.length; index++) {
        const shape = shapes[index]
        const value = shape?.read(text, bytes)
        if (shape === undefined || value === undefined) continue
        if (index > 0) shapes.unshift(...shapes.splice(index, 1))
        return value
      }
      return undefined
    },
    add: (shape: JsonShape): void => {
      if (shapes.unshift(shape) > SHAPE_COUNT_MAX) shapes.pop()
    },
  }
}

/** {@link ShapedBodies} of a route that was not asked for yet. */
export const createShapedBodies = (): ShapedBodies => {
  const shapes = createRecentShapes()
  let bodyCount = 0
  let readCount = 0
  let missCount = 0
  let isResting = false

  const count = (): void => {
    bodyCount += 1
    if (bodyCount < PERIOD_COUNT) return
    isResting = !isResting && readCount * 2 < bodyCount
    bodyCount = 0
    readCount = 0
  }

  return {
    read: (bytes) => {
      count()
      if (isResting || bytes.length > SHAPED_BODY_BYTES_MAX) return undefined
      const value = shapes.read(bytes.toString('latin1'), bytes)
      if (value !== undefined) readCount += 1
      return value
    },
    learn: (bytes) => {
      if (isResting || bytes.length > SHAPED_BODY_BYTES_MAX || missCount++ % LEARN_EVERY !== 0) return
      const shape = shapeOf(bytes.toString('latin1'))
      if (shape !== undefined) shapes.add(shape)
    },
  }
}
