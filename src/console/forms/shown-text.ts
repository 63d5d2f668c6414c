import type { Fields } from './form'

/** The value of a field as its input shows it. `values` is an object with the fields of the operation's input. */
export function shownText(name: string, values: object | null | undefined): string {
  return toText(valueAt(values, pathOf(name)), isLines(name) ? '\n' : ' ')
}

/** The value at `limits.0.types[]` or `references[lines]`. The names come from the browser, so that what every object has does not count. */
export function valueAt(values: object | null | undefined, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (hasOwn(value, key) ? value[key] : undefined), values)
}

function hasOwn(value: unknown, key: string): value is Fields {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
}

export function toText(value: unknown, between = ' '): string {
  return [value ?? ''].flat().join(between)
}

/** The path of a field in the input: a form adds how its text is read, as in `types[]`. */
export function pathOf(name: string): string {
  return name.split('[')[0]!
}

/** Whether the input has an entry of a list on each line. */
export function isLines(name: string): boolean {
  return name.endsWith('[lines]')
}
