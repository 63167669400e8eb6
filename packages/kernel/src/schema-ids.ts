/** Numbers of the published schemas: embedded mode takes them from the committed files, a cluster from its registry. */
export interface SchemaIds {
  /** Id under which events of this type are written; `subject` is the full name of the schema. */
  readonly idOf: (subject: string) => number
  /** The schema (Avro JSON text) that was published under this id, or undefined when it is not known. */
  readonly schemaOf: (id: number) => { readonly subject: string; readonly schema: string } | undefined
}
