import { type Finding, findAll, type Passage } from './finding'

/** Matches a secret of several words after its label: `passphrase: correct horse battery staple`, a recovery phrase of a wallet. */
const PHRASE =
  /\b(?:pass ?phrase|(?:seed|recovery|backup|secret|mnemonic)[ _-]phrase|mnemonic)["']?(?:\s{0,3}[:=]|\sis)\s{0,3}["'“]?(?<it>\p{Ll}{2,12}(?:[ -]\p{Ll}{2,12}){3,23})(?=["'”]?[.;,]?[ \t]{0,8}(?:\n|$))/dgiu

/** Matches words of a sentence about a phrase. */
const SENTENCE =
  /\b(?:a|an|the|is|are|be|was|will|must|should|can|may|has|have|at|of|for|to|in|with|and|or|not|no|you|your|it|this|that|on|as|by|from|if|only|when|which|every|any|required|words?|characters?|letters?|optional)\b/i

/** Finds secrets that consist of words. */
export function findPhrases({ text }: Passage): Finding[] {
  if (!/hrase|HRASE|nemonic/.test(text)) return []
  return findAll(text, PHRASE, 'password').filter(({ start, end }) => !SENTENCE.test(text.slice(start, end)))
}
