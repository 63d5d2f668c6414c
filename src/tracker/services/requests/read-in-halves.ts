/** Reads IDs in one request, or in two of half as many each if the tracker cannot answer for all of them at once. */
export async function readInHalves(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<void>,
  isTooLarge: (error: unknown) => boolean,
): Promise<void> {
  if (ids.length === 0) return
  try {
    await read(ids)
  } catch (error) {
    if (!isTooLarge(error) || ids.length === 1) throw error
    const half = Math.ceil(ids.length / 2)
    for (const part of [ids.slice(0, half), ids.slice(half)]) await readInHalves(part, read, isTooLarge)
  }
}
