import { type Finding, findAll, type Passage } from '../finding'

/** Matches a secret of several words after its label: `passphrase: correct horse battery staple`, a recovery phrase of a wallet. */
const PHRASE =
  /\b(?:pass ?phrase|(?:seed|recovery|backup|secret|mnemonic)[ _-]phrase|mnemonic)["']?(?:\s{0,3}[:=]|\sis)\s{0,3}["'“]?(?<it>\p{Ll}{2,12}(?:[ -]\p{Ll}{2,12}){3,23})(?=["'”]?[.;,]?[ \t]{0,8}(?:\n|$))/dgiu

/** Matches words that sentences about a phrase have. The word lists of wallets have some of them, too. */
const OF_SENTENCE =
  /\b(?:an?|the|is|are|be|was|will|must|should|can|may|has|have|at|of|for|to|in|with|and|or|not|no|you|your|my|we|they|it|this|that|on|as|by|from|if|only|when|which|every|each|any|same|please|once|twice|again|after|before|required|optional|words?|characters?|letters?|users?|shown|stored|saved|sent|used|checked|entered|typed|hidden|generated|created)\b/gi
/** More than one such word in as many words make a sentence. */
const WORDS_OF_SECRET = 6

/** Finds secrets that consist of words. */
export function findPhrases({ text }: Passage): Finding[] {
  if (!/hrase|HRASE|nemonic/.test(text)) return []
  return findAll(text, PHRASE, 'password').filter(({ start, end }) => !isSentence(text.slice(start, end)))
}

function isSentence(phrase: string): boolean {
  const found = phrase.match(OF_SENTENCE)?.length ?? 0
  return found * WORDS_OF_SECRET > phrase.split(/[ -]/).length
}
