/** A value that whoever made it may still change: the same without `readonly`, in depth. */
export type Draft<Value> = Value extends object ? { -readonly [Name in keyof Value]: Draft<Value[Name]> } : Value
