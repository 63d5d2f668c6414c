import { createBadRequestError } from '../wire/wire-error'

/** Query parameters, in whatever case they were written. */
export class QueryParameters {
  private readonly values = new Map<string, string>()

  constructor(search: URLSearchParams) {
    for (const [name, value] of search) this.values.set(name.toLowerCase(), value)
  }

  text(name: string): string | null {
    return this.values.get(name.toLowerCase()) ?? null
  }

  flag(name: string): boolean {
    return this.text(name)?.toLowerCase() === 'true'
  }

  /** Null where it is not given. */
  integer(name: string, least = 0): number | null {
    const text = this.text(name)
    if (text === null || text === '') return null
    const value = Number(text)
    if (!Number.isInteger(value) || value < least)
      throw createBadRequestError(`The value '${text}' is not valid for ${name}.`)
    return value
  }

  list(name: string): string[] | null {
    const text = this.text(name)
    return text ? text.split(',').map((part) => part.trim()) : null
  }
}
