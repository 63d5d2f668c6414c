import { type Finding, findAll, type Passage } from './finding'

/**
 * Matches `DOMAIN\user`: a NetBIOS name in capitals or a DNS name, one backslash, and a name that begins with a letter. Paths look
 * similar, so an account must not follow a drive, a share, a folder or another backslash, and no path may continue after it:
 * `C:\temp`, `\\server\share` and `src\app` do not match.
 */
const BY_FORM =
  /(?<![\w\\/:.$%-])(?:[A-Z][A-Z0-9-]{1,14}|AzureAD|[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){1,5})\\[A-Za-z][\w.$-]{0,62}[\w$](?![\w.$-]{0,64}[\w\\/$])/dg

/** Matches the words up to the next backslash. They are part of a path if its folders have spaces: `PROJECT\Team one\Sprint 2`. */
const FURTHER_WORDS = /^(?<words>(?: [\w-]{1,40}){1,4})\\(?!\\)/

/** Matches words that no folder has in its name, and the first folder or domain of what is next: `to check src\app`. */
const OTHER_WORDS =
  /^(?:a|an|and|are|as|ask|at|be|before|by|can|check|for|from|had|has|have|in|into|is|may|must|needs?|not|of|on|open|opens|or|owns?|reads?|runs?|saw|see|should|the|then|to|under|use|used|uses|via|was|when|will|with|writes?|wrote)$/i
const BEGINS_PATH = /^(?:src|bin|obj|lib|app|apps|docs?|tests?|build|dist|temp|tmp|logs?|[A-Z][A-Z0-9-]{1,14})$/

/** Matches an account in any case after words that announce one: `run it as contoso\svc-build`, `/user:contoso\jane`. */
const BY_LABEL =
  /(?:\buser(?: ?name| ?id)?|\blog[io]n(?: as)?|\b(?:log(?:s|ged|ging)?|sign(?:s|ed|ing)?|r[ua]n(?:s|ning)?|execut(?:es?|ed|ing)|start(?:s|ed|ing)?|launch(?:es|ed|ing)?|connect(?:s|ed|ing)?|authenticat(?:es?|ed|ing)|act(?:s|ed|ing)?|works?|opens?)(?:[ -]?(?:in|on))?(?: [\w-]{1,20}){0,3}? (?:as|under)|\bimpersonat(?:es?|ed|ing)|\brun ?as|\b(?:as|for|by|ask|tell|contact) (?:the )?user|\baccount|\bowner|\b(?:owned|assigned|created|changed|approved|reported) (?:to|by))["']?\s{0,2}[:= ]\s{0,2}["']?(?<it>[A-Za-z][\w-]{1,14}\\[A-Za-z][\w.$-]{0,63})(?![\w\\/])/dgi

/** These are built-in domains of the local machine, registry roots, and folders that are often written in capitals. */
const NOT_A_DOMAIN = /^(?:HKLM|HKCU|HKCR|HKCC|HKU|BUILTIN|AUTHORITY|BIN|OBJ|SRC|LIB|DOC|DOCS|TMP|TEMP|TEST|TESTS)$/i

/** Excludes file names, because `SETUP\run.exe` has the form of an account. */
const FILE =
  /\.(?:exe|dll|cmd|bat|ps1|sh|cs|ts|js|py|java|sql|xml|json|config|txt|md|log|csv|xlsx?|docx?|pdf|zip|ini|yml|yaml)$/i

/**
 * Matches a user's home folder: `C:\Users\rklein`, `/home/rklein`, `/Users/rklein`. A path that is part of a web address does not
 * match.
 */
const HOME =
  /(?:[A-Za-z]:[\\/]{1,2}(?:Users|Documents and Settings)[\\/]{1,2}|(?<![\w.:\\/~-])\\{1,2}Users\\{1,2}|(?<![\w.:/~})\]-])\/(?:home|Users)\/)(?<it>[\p{L}\d][\p{L}\p{M}\d._-]{0,62}[\p{L}\p{M}\d_](?: [\p{L}][\p{L}\p{M}\d._-]{0,63}(?=\\))?)(?![\p{L}\p{N}])/dgiu

/** Lists folders that belong to no person, and pages and routes of web sites: `/home/dashboard`, `/users/list`. */
const NOT_A_USER =
  /^(?:public|default(?: user|user)?|all users|admin(?:istrator)?|root|user|users|username|guest|shared|runner|runneradmin|vsts|vsts_azpcontainer|ubuntu|debian|vagrant|node|app|circleci|jenkins|git|www-data|ec2-user|me|you|yourname|name|index|dashboard|page|main|about|contact|log[io]n|logout|settings|profile|welcome|news|search|menu|list|new|edit|create|help|start|overview|\d[\da-f-]*)(?:\.\w{1,5})?$/i

/** Finds user names in the paths of home folders. */
function findHomes(text: string): Finding[] {
  return findAll(text, HOME, 'account').filter(({ start, end }) => !NOT_A_USER.test(text.slice(start, end)))
}

/**
 * Matches code that consists of one account only: `CONTOSO\jdoe`. In longer code, a backslash and a letter may be an escape
 * sequence.
 */
const WHOLE_CODE = /^[A-Z][A-Z0-9-]{2,14}\\[A-Za-z][\w.$-]{2,63}$/

/**
 * Finds account names of Windows domains, and user names in paths. In code, a domain account needs a label or must be the whole
 * code.
 */
export function findAccounts(passage: Passage): Finding[] {
  return passage.text.includes('\\')
    ? [...findHomes(passage.text), ...findDomainAccounts(passage)]
    : findHomes(passage.text)
}

function findDomainAccounts({ text, isCode }: Passage): Finding[] {
  const byForm = findAll(text, BY_FORM, 'account').filter(({ start, end }) =>
    isCode(start) ? isWholeCode({ text, isCode }, start, end) : !isPathContinued(text.slice(end, end + MAX_PATH_WORDS)),
  )
  return [...byForm, ...findAll(text, BY_LABEL, 'account')].filter(({ start, end }) => {
    const name = text.slice(start, end)
    return !NOT_A_DOMAIN.test(name.slice(0, name.indexOf('\\'))) && !FILE.test(name)
  })
}

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
