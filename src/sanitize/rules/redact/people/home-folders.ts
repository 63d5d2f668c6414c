import { type Finding, findAll } from '../finding'

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
export function findHomes(text: string): Finding[] {
  return findAll(text, HOME, 'account').filter(({ start, end }) => !NOT_A_USER.test(text.slice(start, end)))
}
