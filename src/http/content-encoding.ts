export type Encoding = 'br' | 'gzip'

/** The encoding that the caller likes best (RFC 9110, 12.5.3), of two alike the smaller one; null where it takes the text as it is. */
export function encodingFor(accept: string | undefined): Encoding | null {
  if (!accept) return null
  const weights = new Map<string, number>()
  for (const entry of accept.toLowerCase().split(',')) {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name!, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const best: Encoding = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip'
  return weightOf(best) > 0 && weightOf(best) >= (weights.get('identity') ?? 0) ? best : null
}
