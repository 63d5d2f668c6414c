import cardValidator from 'card-validator'
import { countrySpecs, isValidIBAN } from 'ibantools'
import * as belgium from 'stdnum/lib/cjs/be/nn.js'
import * as brazil from 'stdnum/lib/cjs/br/cpf.js'
import * as canada from 'stdnum/lib/cjs/ca/sin.js'
import * as switzerland from 'stdnum/lib/cjs/ch/ssn.js'
import * as china from 'stdnum/lib/cjs/cn/ric.js'
import * as germany from 'stdnum/lib/cjs/de/idnr.js'
import * as denmark from 'stdnum/lib/cjs/dk/cpr.js'
import * as spain from 'stdnum/lib/cjs/es/dni.js'
import * as spainForeigners from 'stdnum/lib/cjs/es/nie.js'
import * as finland from 'stdnum/lib/cjs/fi/hetu.js'
import * as france from 'stdnum/lib/cjs/fr/nir.js'
import * as britain from 'stdnum/lib/cjs/gb/nino.js'
import * as india from 'stdnum/lib/cjs/in/aadhaar.js'
import * as indiaTax from 'stdnum/lib/cjs/in/pan.js'
import * as italy from 'stdnum/lib/cjs/it/codicefiscale.js'
import * as korea from 'stdnum/lib/cjs/kr/rrn.js'
import * as mexico from 'stdnum/lib/cjs/mx/curp.js'
import * as netherlands from 'stdnum/lib/cjs/nl/bsn.js'
import * as poland from 'stdnum/lib/cjs/pl/pesel.js'
import * as sweden from 'stdnum/lib/cjs/se/personnummer.js'
import * as unitedStates from 'stdnum/lib/cjs/us/ssn.js'
import * as z from 'zod'
import { type Finding, findAll } from './finding'

/** Lists kinds that are removed only on request, because many teams need them in their work items. */
export const optionalKinds = ['iban', 'card', 'national-id', 'ip', 'mac'] as const

export type OptionalKind = (typeof optionalKinds)[number]

export function findOptionalKinds(text: string, kinds: ReadonlySet<OptionalKind>): Finding[] {
  return optionalKinds.flatMap((kind) => (kinds.has(kind) ? finders[kind](text) : []))
}

const finders: Record<OptionalKind, (text: string) => Finding[]> = {
  iban: findIbans,
  card: (text) => findValid(text, CARD, 'card', (written) => cardValidator.number(digitsOf(written)).isValid),
  'national-id': (text) => findValid(text, NATIONAL_ID, 'national-id', isNationalId),
  ip: (text) => [
    ...findValid(text, IPV4, 'ip', isIpv4).filter(
      ({ start }) => !VERSION_LABEL.test(text.slice(Math.max(0, start - 16), start)),
    ),
    ...findValid(text, IPV6, 'ip', (written) => isIpv6(written) && /\d/.test(written)),
  ],
  mac: (text) => findValid(text, MAC, 'mac', (written) => !/^[\d.]+$/.test(written)),
}

function findValid(text: string, pattern: RegExp, kind: OptionalKind, isValid: (written: string) => boolean) {
  return findAll(text, pattern, kind, { accepts: ([written]) => isValid(written) })
}

function digitsOf(written: string): string {
  return written.replace(/\D/g, '')
}

/** Matches the country, the check digits, and as many characters as any country's account may have, in groups or joined. */
const IBAN = /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ \u00a0-]?[A-Z\d]){11,30}/giu

/** Cuts each match to the length that the country prescribes, because a word may follow the account directly. */
function findIbans(text: string): Finding[] {
  const findings: Finding[] = []
  for (const { index, 0: written } of text.matchAll(IBAN)) {
    const length = countrySpecs[written.slice(0, 2).toUpperCase()]?.chars ?? 0
    const account = cutToCharacters(written, length)
    const end = index + account.length
    if (isValidIBAN(account.replace(/[^A-Za-z\d]/g, '').toUpperCase()) && !/^[\p{L}\p{N}]/u.test(text.slice(end)))
      findings.push({ start: index, end, kind: 'iban' })
  }
  return findings
}

function cutToCharacters(written: string, length: number): string {
  let seen = 0
  for (const [at, character] of [...written].entries()) {
    if (/[A-Za-z\d]/.test(character)) seen++
    if (seen === length) return written.slice(0, at + 1)
  }
  return written
}

const CARD =
  /(?<![\p{L}\p{N}]|\d[.,:/-])(?:\d{4}(?<separator>[ -])\d{4}\k<separator>\d{4}\k<separator>\d{4}(?:\k<separator>\d{3})?|\d{4}[ -]\d{6}[ -]\d{4,5}|\d{13,19})(?![\p{L}\p{N}]|[.,:/-]\d)/gu

const isIpv4 = (written: string) => z.ipv4().safeParse(written).success
const isIpv6 = (written: string) => z.ipv6().safeParse(written).success
const IPV4 = /(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\p{L}\p{N}]|\.\d)/gu
const IPV6 =
  /(?<![\p{L}\p{N}_:.])[\da-f]{0,4}(?::[\da-f]{0,4}){2,8}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?(?![\p{L}\p{N}_:])/giu
/** Matches a version label, because a version of four parts looks like an IP address. */
const VERSION_LABEL = /(?:\bv(?:er(?:sion)?s?)?|build|release|firmware)[ .:=]{0,2}$/i

const MAC =
  /(?<![\p{L}\p{N}:.-])(?:[\da-f]{2}:(?:[\da-f]{2}:){4}[\da-f]{2}|[\da-f]{2}-(?:[\da-f]{2}-){4}[\da-f]{2}|[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4})(?![\p{L}\p{N}]|[:.-][\da-f])/giu

interface NationalId {
  validate(written: string): { isValid: boolean }
}

/**
 * Lists how countries format personal ID numbers, with a `0` for each digit and an `A` for each letter. Numbers without a check
 * digit are included only if their format is rare. Common formats, such as nine digits in a row, are left out.
 */
const ID_FORMS: Readonly<Record<string, readonly NationalId[]>> = {
  '000-00-0000': [unitedStates],
  AA000000A: [britain],
  'AA 00 00 00 A': [britain],
  '000 000 000': [canada],
  '000-000-000': [canada],
  '00000000000': [germany, poland, brazil],
  '00 000 000 000': [germany],
  '00000000A': [spain],
  '00000000-A': [spain],
  A0000000A: [spainForeigners],
  'A-0000000-A': [spainForeigners],
  '0 00 00 00 000 000 00': [france],
  '0 00 00 00 000 000': [france],
  '000000000000000': [france],
  AAAAAA00A00A000A: [italy],
  'AAA AAA 00A00 A000A': [italy],
  '0000.00.000': [netherlands],
  '00.00.00-000.00': [belgium],
  '000.0000.0000.00': [switzerland],
  '000000-0000': [sweden, denmark],
  '00000000-0000': [sweden],
  '000000-0000000': [korea],
  '000000-000A': [finland],
  '000000A000A': [finland],
  '000.000.000-00': [brazil],
  '0000 0000 0000': [india],
  AAAAA0000A: [indiaTax],
  '000000000000000000': [china],
  '00000000000000000A': [china],
  AAAA000000AAAAAA00: [mexico],
  AAAA000000AAAAAAA0: [mexico],
}

const NATIONAL_ID = new RegExp(
  `(?<![\\p{L}\\p{N}]|\\d[.,:/-])(?:${Object.keys(ID_FORMS)
    .toSorted((a, b) => b.length - a.length)
    .map((form) => form.replaceAll('.', '\\.').replaceAll('0', '\\d').replaceAll('A', '[A-Z]'))
    .join('|')})(?![\\p{L}\\p{N}]|[.,:/-]\\d)`,
  'gu',
)

function isNationalId(written: string): boolean {
  const form = written.replace(/\d/g, '0').replace(/[A-Z]/g, 'A')
  return ID_FORMS[form]?.some((country) => country.validate(written).isValid) === true
}
