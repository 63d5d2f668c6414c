import { isRecord, parseJson } from '../../../kernel/json'
/** The JSON object of an answer, also where a model puts a fence or a sentence around it; undefined where there is none. */
export function extractJsonObject(answer: string): unknown {
  const fenced = /```(?:json)?[ \t]*\n([\s\S]*?)\n?```/.exec(answer)?.[1]
  const braced = answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1)
  for (const candidate of [answer, fenced, braced]) {
    const value = candidate === undefined ? undefined : parseJson(candidate)
    if (isRecord(value)) return value
  }
  return undefined
}
