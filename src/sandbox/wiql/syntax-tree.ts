/** A query, understood. Names of fields are as written. */
export interface Wiql {
  from: 'items' | 'links'
  columns: FieldRef[]
  where: Condition | null
  orderBy: { field: FieldRef; descending: boolean }[]
  mode: LinkMode | null
}

export type LinkMode = 'MustContain' | 'MayContain' | 'DoesNotContain' | 'Recursive'

/** `side` is given in link queries alone: `[Source].[System.State]`. */
export interface FieldRef {
  name: string
  side: 'source' | 'target' | null
}

export type Condition =
  | { kind: 'and' | 'or'; parts: Condition[] }
  | { kind: 'not'; part: Condition }
  | { kind: 'compare'; field: FieldRef; operator: Operator; values: Value[]; text: string }

export type Operator =
  | '='
  | '<>'
  | '<'
  | '>'
  | '<='
  | '>='
  | 'in'
  | 'contains'
  | 'contains words'
  | 'under'
  | 'is empty'

export type Value =
  | { kind: 'text'; text: string }
  | { kind: 'number'; number: number }
  | { kind: 'macro'; name: string; offset: number }
