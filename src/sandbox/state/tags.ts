/** `a; b` as the tags that it names, each once, the first spelling of each. */
export function parseTags(text: string): string[] {
  const tags = new Map<string, string>()
  for (const part of text.split(/[;,]/)) {
    const tag = part.trim()
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  }
  return [...tags.values()]
}

export function formatTags(tags: readonly string[]): string {
  return tags.join('; ')
}

/** Adding tags merges them with those that are there. */
export function mergeTags(existing: string, added: string): string {
  return formatTags(parseTags(`${existing};${added}`))
}
