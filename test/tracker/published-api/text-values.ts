import type { SchemaObject } from 'ajv'

/** The value that the texts of a parameter stand for. A text that is none of its type stays a text. */
export function toValue(schema: SchemaObject, texts: readonly string[], explode: boolean): unknown {
  if (schema['type'] !== 'array') return toOne(schema, texts.join(','))
  const parts = explode ? texts : texts.flatMap((text) => text.split(','))
  return parts.map((text) => toOne(schema['items'] ?? {}, text))
}

function toOne({ type, oneOf }: SchemaObject, text: string): unknown {
  if (oneOf) return (oneOf as SchemaObject[]).map((one) => toOne(one, text)).find((value) => value !== text) ?? text
  if ((type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  return text
}

/** The parts of a form by name, each as a text. */
export function describeForm(body: string): Record<string, string | string[]> {
  const names = [...body.matchAll(/^content-disposition: form-data;(?:[^\r\n]*;)? ?name="([^"]*)"/gim)].map(
    ([, name]) => name!,
  )
  return Object.fromEntries(names.map((name) => [name, '']))
}
