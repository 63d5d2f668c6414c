import { type Finding, findAll, type Passage } from '../finding'
import { findCommandPasswords } from './command-passwords'
import { findCookies } from './cookies'
import { findKubernetesSecrets } from './kubernetes-secrets'
import { findLabelledValues } from './labelled-values'
import { findMarkupPasswords } from './markup-passwords'
import { findPairedPasswords } from './paired-passwords'
import { findPasswordCells } from './password-cells'
import { PASSWORD_LABEL } from './password-label'
import { findPhrases } from './phrases'
import { isStrongPassword } from './secret-value'
import { findUrlPasswords } from './url-passwords'

/**
 * Matches a strong password directly after its label: `password hunter2!`. A value of lower-case letters and digits must end its
 * clause.
 */
const UNSIGNED = new RegExp(
  `(?:${PASSWORD_LABEL}) {1,2}["'“]?(?<it>[^\\s"'“”\`<>[\\]]{6,64})(?=["'”]?(?:\\s|<|$))`,
  'dgiu',
)

/** Finds passwords and keys by the label before them, not by their format. */
export function findPasswords(passage: Passage): Finding[] {
  const { text } = passage
  return [
    ...findUrlPasswords(text),
    ...findCommandPasswords(text),
    ...findMarkupPasswords(text),
    ...findPairedPasswords(text),
    ...findKubernetesSecrets(text),
    ...findCookies(text),
    ...findLabelledValues(passage),
    ...findUnsigned(passage),
    ...findPasswordCells(passage),
    ...findPhrases(passage),
  ]
}

function findUnsigned({ text, isCode }: Passage): Finding[] {
  return findAll(text, UNSIGNED, 'password').flatMap((finding) => {
    const value = text.slice(finding.start, finding.end).replace(/(?<![.,:;?)])[.,:;?)]+$/, '')
    const end = finding.start + value.length
    const isPlain = /^[a-z\d]+$/.test(value) && !/^["'”]?(?:[.,;:)!\n]|$)/.test(text.slice(end, end + 2))
    if (isPlain || isCode(finding.start - 1) || !isStrongPassword(value)) return []
    return [{ ...finding, end }]
  })
}
