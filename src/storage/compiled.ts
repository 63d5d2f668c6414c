import type { Compilable } from 'kysely'
import { type Engine, engineOf, type ReadTx, sendOf } from './database'

/** Stands in a query for a value that is given when it is run. */
class Placeholder {
  constructor(readonly name: string) {}
}

interface Compiled {
  sql: string
  parameters: readonly unknown[]
}

/**
 * A query that is built and compiled once an engine, and sent with other values each time: building one costs more than running
 * it. `build` must not decide by the values that it is given.
 */
export function compiledOnce<Values extends object, Row>(
  build: (tx: ReadTx, values: Values) => Compilable<Row>,
): (tx: ReadTx, values: Values) => Promise<Row[]> {
  const known = new Map<Engine, Compiled>()
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values
  return (tx, values) => {
    const engine = engineOf(tx)
    let query = known.get(engine)
    if (query === undefined) {
      query = build(tx, placeholders).compile()
      known.set(engine, query)
    }
    const parameters = query.parameters.map((given) =>
      given instanceof Placeholder ? values[given.name as keyof Values] : given,
    )
    return sendOf(tx)(query.sql, parameters) as Promise<Row[]>
  }
}
