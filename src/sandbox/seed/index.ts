import { sampleSite } from '../../tracker/sample-site'
import { type SandboxState, STATE_FORMAT } from '../state/state'
import { grow } from './build-history'
import { carrierPortal } from './carrier-portal'
import { cycleCounting } from './cycle-counting'
import { dependencies } from './dependencies'
import { gateCheckIn } from './gate-check-in'
import { team } from './people'
import { areaTree, iterationTree, project } from './places'
import { strayBugs } from './stray-bugs'

/**
 * The sample backlog: the project Harbor of the organization `quayside`, a team that writes warehouse software. No person or
 * firm in it is real; mail goes to `example` domains, telephone numbers have an area code that nobody has, tokens are made up.
 *
 * Ids are made to be remembered:
 * - 101 to 103 are features: gate check-in (30 items with itself), cycle counting, carrier portal;
 * - 201 to 207 are the stories of 101, 208 to 213 those of 102, 214 to 219 those of 103;
 * - tasks follow their story: 201 has 311, 312, …, 204 has 341 to 344, 210 has 401 to 403 (300 + ten times what is above 200);
 * - 501 to 508 are bugs: 501, 504 and 505 below a story, 502, 503 and 506 below a feature, 507 and 508 below nothing.
 *
 * What to look at:
 * - 204: text pasted from a word processor, mentions, a telephone number, leaked tokens; bug 501 below it;
 * - 205: blocked by its field and by 215, an open story of another feature; 206 waits for 204 (open) and 203 (done), unestimated;
 * - 207: removed, with its task; 210: Markdown; 212: blocked by a tag; 216: waits for 214 (done) and 215 (open);
 * - 217: a table pasted from a spreadsheet; 218: a connection string with a password; 506: a pasted mail.
 *
 * It is Wednesday, 18 November 2026, in the iteration Sprint 24.
 */
export function sampleBacklog(): SandboxState {
  const { items, links } = grow([gateCheckIn, cycleCounting, carrierPortal, ...strayBugs], dependencies, {
    area: 'root',
    writtenOn: '2026-09-28',
  })
  return {
    format: STATE_FORMAT,
    organization: sampleSite.organization,
    project,
    people: Object.values(team),
    areas: areaTree,
    iterations: iterationTree,
    items,
    links,
  }
}
