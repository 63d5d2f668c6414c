/** A number of a truck, trailer or load without what people write in several ways: they type `ilx 4411` for `ILX-4411`. */
export function normalizeNumber(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
