import { type Finding, findAll, type Passage } from '../finding'
import { isNoUser, isUserName } from './user-names'

const USER = '[A-Za-z][\\w.$-]{0,62}[\\w$](?![\\w.$-]{0,64}[\\w\\\\/$])'
const BEGIN = '(?<![\\w\\\\/:.$%-])'

/**
 * Matches `DOMAIN\user`: a NetBIOS name in capitals or a DNS name, a backslash, which may be escaped, and a name that begins with a
 * letter. Paths look similar, so an account must not follow a drive, a share, a folder or another backslash, and no path may
 * continue after it: `C:\temp`, `\\server\share` and `src\app` do not match.
 */
const BY_FORM = new RegExp(
  `${BEGIN}(?:[A-Z][A-Z0-9-]{1,14}|AzureAD|[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\\.[A-Za-z0-9-]{1,63}){1,5})\\\\{1,2}${USER}`,
  'dg',
)

/** Matches the same with a domain in any other case. It is mostly a folder, so the rest of the text must speak for an account. */
const ANY_CASE = new RegExp(`${BEGIN}[A-Za-z][A-Za-z0-9-]{2,14}\\\\{1,2}${USER}`, 'dg')

/** Matches an account in any case after words that announce one: `run it as contoso\svc-build`, `/user:contoso\jane`. */
const BY_LABEL =
  /(?:\buser(?: ?name| ?id)?|\blog[io]n(?: as)?|\b(?:log(?:s|ged|ging)?|sign(?:s|ed|ing)?|r[ua]n(?:s|ning)?|execut(?:es?|ed|ing)|start(?:s|ed|ing)?|launch(?:es|ed|ing)?|connect(?:s|ed|ing)?|authenticat(?:es?|ed|ing)|act(?:s|ed|ing)?|works?|opens?)(?:[ -]?(?:in|on))?(?: [\w-]{1,20}){0,3}? (?:as|under)|\bimpersonat(?:es?|ed|ing)|\brun ?as|\b(?:as|for|by|ask|tell|contact) (?:the )?user|\b(?:ask|tell|contact|ping|notify|inform|cc)(?:s|ed)?|\baccount|\bowner|\b(?:owned|assigned|created|changed|approved|reported) (?:to|by))["']?\s{0,2}[:= ]\s{0,2}["']?(?<it>[A-Za-z][\w-]{1,14}\\{1,2}[A-Za-z][\w.$-]{0,63})(?![\w\\/])/dgi

/** These are built-in domains of the local machine, registry roots, and folders that are often written in capitals. */
const NOT_A_DOMAIN = /^(?:HKLM|HKCU|HKCR|HKCC|HKU|BUILTIN|AUTHORITY|BIN|OBJ|SRC|LIB|APPS?|DOCS?|TMP|TEMP|TESTS?)$/i

/** Matches domains of examples, and names that many organizations use. */
const USUAL_DOMAIN = /^(?:contoso|fabrikam|northwind|acme|corp|domain|mydomain)$/i

/** Excludes file names, because `SETUP\run.exe` has the form of an account. */
const FILE =
  /\.(?:exe|dll|cmd|bat|ps1|sh|cs|ts|js|py|java|sql|xml|json|config|txt|md|log|csv|xlsx?|docx?|pdf|zip|ini|yml|yaml)$/i

/** Matches two abbreviations that a backslash separates as a slash does: `UI\UX`, `TCP\IP`. */
const ABBREVIATIONS = /^[A-Z]{2,4}\\{1,2}[A-Z]{2,3}$/

/**
 * Matches code that consists of one account only: `CONTOSO\jdoe`. In longer code, a backslash and a letter may be an escape
 * sequence.
 */
const WHOLE_CODE = /^[A-Z][A-Z0-9-]{2,14}\\{1,2}[A-Za-z][\w.$-]{2,63}$/

/** Finds accounts of Windows domains. In code, one needs a label or must be the whole code. */
export function findDomainAccounts(passage: Passage): Finding[] {
  const { text, isCode } = passage
  if (!text.includes('\\')) return []
  const byForm = findAll(text, BY_FORM, 'account').filter(
    ({ start, end }) =>
      isAccount(text.slice(start, end)) &&
      (isCode(start) ? isWholeCode(passage, start, end) : !isPathContinued(text.slice(end, end + MAX_PATH_WORDS))),
  )
  const byLabel = findAll(text, BY_LABEL, 'account').filter(({ start, end }) => isLabelled(text.slice(start, end)))
  return [...byForm, ...byLabel, ...findInAnyCase(passage, [...byForm, ...byLabel])]
}

function partsOf(account: string): { domain: string; user: string } {
  const [domain = '', user = ''] = account.split(/\\+/)
  return { domain, user }
}

function isAccount(account: string): boolean {
  return isLabelled(account) && !isNoUser(partsOf(account).user) && !ABBREVIATIONS.test(account)
}

function isLabelled(account: string): boolean {
  const { domain, user } = partsOf(account)
  return !NOT_A_DOMAIN.test(domain) && !FILE.test(account) && !/^user(?:name)?$/i.test(user)
}

/** Matches what separates the items of a list. */
const NEXT_ITEM = /^\s?(?:[,;/&|]|\b(?:and|or)\b){1,2}(?:\s(?:and|or))?\s?$/

/**
 * Finds accounts whose domain is not in capitals: those of a domain that another account has, those in a list after another one, and
 * those with a usual domain or a typical user name.
 */
function findInAnyCase({ text, isCode }: Passage, known: readonly Finding[]): Finding[] {
  const domains = new Set(known.map(({ start, end }) => partsOf(text.slice(start, end)).domain.toLowerCase()))
  const ends = new Set(known.map(({ end }) => end))
  let before = -1
  return findAll(text, ANY_CASE, 'account').filter(({ start, end }) => {
    const account = text.slice(start, end)
    const { domain, user } = partsOf(account)
    const follows = ends.has(before) && NEXT_ITEM.test(text.slice(before, start))
    before = end
    // A line end that was written as an escape also begins a word that is none: `first\nsecond`.
    const isTypical =
      (USUAL_DOMAIN.test(domain) && /^[a-z]|^[A-Z][a-z]{1,20}\.[A-Z]/.test(user)) ||
      (isUserName(user) && !user.startsWith('n'))
    if (!(follows || isTypical || domains.has(domain.toLowerCase()))) return false
    if (isCode(start) || !isAccount(account) || isPathContinued(text.slice(end, end + MAX_PATH_WORDS))) return false
    ends.add(end)
    return true
  })
}

/** Matches the words up to the next backslash. They are part of a path if its folders have spaces: `PROJECT\Team one\Sprint 2`. */
const FURTHER_WORDS = /^(?<words>(?: [\w-]{1,40}){1,4})\\(?!\\)/

/** Matches words that no folder has in its name, and the first folder or domain of what is next: `to check src\app`. */
const OTHER_WORDS =
  /^(?:a|after|also|an|and|are|as|ask|asked|at|be|because|before|but|by|can|check|for|from|had|has|have|he|her|him|if|in|into|is|it|may|me|must|needs?|not|of|on|open|opens|or|owns?|reads?|runs?|said|saw|says?|see|she|should|so|that|the|then|they|this|to|told|under|us|use|used|uses|via|wants?|was|we|when|which|while|who|will|with|writes?|wrote|you)$/i
const BEGINS_PATH = /^(?:src|bin|obj|lib|app|apps|docs?|tests?|build|dist|temp|tmp|logs?|[A-Z][A-Z0-9-]{1,14})$/

const MAX_PATH_WORDS = 60

/** Returns whether the text continues a path. Words between two backslashes may also separate an account from a path or account. */
function isPathContinued(after: string): boolean {
  const words = FURTHER_WORDS.exec(after)?.groups?.['words']?.trim().split(' ')
  if (!words) return false
  return !words.some((word) => OTHER_WORDS.test(word)) && !BEGINS_PATH.test(words.at(-1) ?? '')
}

function isWholeCode({ text, isCode }: Passage, start: number, end: number): boolean {
  const isWhole = (start === 0 || !isCode(start - 1)) && (end === text.length || !isCode(end))
  return isWhole && WHOLE_CODE.test(text.slice(start, end))
}
