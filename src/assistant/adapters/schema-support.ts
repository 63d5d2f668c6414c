import { StatusError } from './status-error'

interface SchemaRequest<Schema> {
  model: string
  schema: Schema | null
}

/** Remembers which models of a server refuse a schema for their answers. The prompt also says in words which form is needed. */
export class SchemaSupport {
  readonly #refusing = new Set<string>()

  /** Yields the lines of the response. Sends the request without the schema if the server has refused it with the schema. */
  async *lines<Schema>(
    { model, schema }: SchemaRequest<Schema>,
    send: (schema: Schema | null) => AsyncIterable<string>,
  ): AsyncGenerator<string, void, undefined> {
    if (schema === null || this.#refusing.has(model)) {
      yield* send(null)
      return
    }
    let hasBegun = false
    try {
      for await (const line of send(schema)) {
        hasBegun = true
        yield line
      }
      return
    } catch (error) {
      if (hasBegun || !mayRefuseSchema(error)) throw error
    }
    for await (const line of send(null)) {
      // Only a success shows that the schema was the reason.
      this.#refusing.add(model)
      yield line
    }
  }
}

/** Servers refuse it with various words. A 400 without any of them may mean it too. */
function mayRefuseSchema(error: unknown): boolean {
  if (!(error instanceof StatusError)) return false
  const { status, failure } = error
  if (status === 400) return true
  const isNamed = /format|schema|grammar|structured|guided/i.test(`${failure.message} ${failure.names}`)
  return (status === 422 || status === 501) && isNamed
}
