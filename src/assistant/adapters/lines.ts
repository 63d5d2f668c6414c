import { answerTooLarge, type ServerAddress } from './model-errors'

export interface LineLimits {
  lineCharacters: number
  wireBytes: number
}

/** The lines of a body as they end, without their ends; nothing is read ahead of what is taken. Throws `llm_answer` past a limit. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  limits: LineLimits,
  address: ServerAddress,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let bytes = 0
  let rest = ''
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > limits.wireBytes) throw answerTooLarge(address)
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield whole(line)
    if (rest.length > limits.lineCharacters) throw answerTooLarge(address)
  }
  rest += decoder.decode()
  if (rest !== '') yield whole(rest)

  function whole(line: string): string {
    if (line.length > limits.lineCharacters) throw answerTooLarge(address)
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
}
