import type { Compilable } from 'kysely'
import { type Engine, getEngine, getSend, type ReadTx } from './database'

/** Stands in a query for a value that is given when it is run. */
class Placeholder {
  constructor(readonly name: string) {}
}

interface CompiledStatement {
  sql: string
  parameters: readonly unknown[]
}

/**
 * A query that is built and compiled once an engine, and sent with other values each time: building one costs more than running
 * it. `build` must not decide by the values that it is given.
 */
export function precompileQuery<Values extends object, Row>(
  build: (tx: ReadTx, values: Values) => Compilable<Row>,
): (tx: ReadTx, values: Values) => Promise<Row[]> {
  const known = new Map<Engine, CompiledStatement>()
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values
  return (tx, values) => {
    const engine = getEngine(tx)
    let query = known.get(engine)
    if (query === undefined) {
      query = build(tx, placeholders).compile()
      known.set(engine, query)
    }
    const parameters = query.parameters.map((given) =>
      given instanceof Placeholder ? values[given.name as keyof Values] : given,
    )
    return getSend(tx)(query.sql, parameters) as Promise<Row[]>
  }
}
