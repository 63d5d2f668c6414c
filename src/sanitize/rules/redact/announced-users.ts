import { type Finding, findAll, type Passage } from './finding'
import { isUserName } from './user-names'

/** Matches a user name without a domain after words that announce one: `log in as jsmith42`, `run it as svc_batch`. */
const ANNOUNCED =
  /(?:\b(?:log(?:s|ged|ging)?|sign(?:s|ed|ing)?|r[ua]n(?:s|ning)?|execut(?:es?|ed|ing)|connect(?:s|ed|ing)?|authenticat(?:es?|ed|ing))(?:[ -]?(?:in|on))?(?: [\w-]{1,20}){0,3}? as|\blog[io]n as|\bimpersonat(?:es?|ed|ing)|\brun ?as)(?: (?:the )?user)?\s{0,2}[: ]\s{0,2}["'“‘(]?(?<it>[A-Za-z][\w.-]{2,61}\w)(?![\w@\\/([=:-])/dgi

/** Finds user names that prose announces. A name in code is mostly one of a variable. */
export function findAnnouncedUsers({ text, isCode }: Passage): Finding[] {
  return findAll(text, ANNOUNCED, 'account').filter(
    ({ start, end }) => !isCode(start) && isUserName(text.slice(start, end)),
  )
}
