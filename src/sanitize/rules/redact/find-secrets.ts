import { type Finding, mergeOverlaps, type Passage } from './finding'
import { findPasswords } from './passwords/passwords'
import { findPercentEncoded } from './percent-encoded'
import { findEncodedAddresses } from './tokens/encoded-addresses'
import { findEncodedSecrets } from './tokens/encoded-secrets'
import { findPrivateKeys } from './tokens/private-keys'
import { findTokens } from './tokens/tokens'

/** Returns every secret in a passage, in order and without overlaps. */
export function findSecrets(passage: Passage): Finding[] {
  return mergeOverlaps([
    ...findPlainSecrets(passage),
    ...findEncodedAddresses(passage.text),
    ...findPercentEncoded(passage, findPlainSecrets),
  ])
}

function findPlainSecrets(passage: Passage): Finding[] {
  return [
    ...findPrivateKeys(passage.text),
    ...findTokens(passage.text),
    ...findPasswords(passage),
    ...findEncodedSecrets(passage.text),
  ]
}
