import type { Finding, Passage } from '../finding'
import { findAnnouncedUsers } from './announced-users'
import { findDomainAccounts } from './domain-accounts'
import { findHomes } from './home-folders'

/** Finds accounts of Windows domains, user names that prose announces, and user names in paths. */
export function findAccounts(passage: Passage): Finding[] {
  return [...findHomes(passage.text), ...findDomainAccounts(passage), ...findAnnouncedUsers(passage)]
}
