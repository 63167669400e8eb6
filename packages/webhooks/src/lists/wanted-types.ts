import { type EventClass, type EventType, typesOf } from '../event-types.ts'

/**
 * The types that a list shows for these filters (webhooks.md 3.3, class and type rule); undefined for all types, `not-a-subset`
 * when a type belongs to none of the classes.
 */
export const wantedTypes = (
  classes: readonly EventClass[],
  types: readonly EventType[],
): ReadonlySet<EventType> | undefined | 'not-a-subset' => {
  if (classes.length === 0) return types.length === 0 ? undefined : new Set(types)
  const union = new Set(classes.flatMap(typesOf))
  if (types.length === 0) return union
  const wanted = new Set(types)
  for (const eventClass of classes) {
    const own = typesOf(eventClass)
    if (!own.some((type) => types.includes(type))) for (const type of own) wanted.add(type)
  }
  return [...wanted].every((type) => union.has(type)) ? wanted : 'not-a-subset'
}
