import type { ItemPlan } from './item-plan'
import { task } from './item-plan'
import { mention } from './people'
import { carrierKeys, carrierKeysCriteria } from './texts/carrier-keys'
import { onTimeReport, onTimeReportCriteria } from './texts/on-time-report'
import { timeZoneMail } from './texts/time-zone-mail'

/** Feature 103 and what is below it. */
export const carrierPortal: ItemPlan = {
  id: 103,
  type: 'Feature',
  title: 'Carriers look after their own appointments',
  state: 'Active',
  area: 'carriers',
  writtenOn: '2026-10-05',
  assignee: 'aoife',
  priority: 2,
  tags: 'portal',
  text: '<div>The carrier desk takes 260 calls a day. Two of three ask when an appointment is, or want to move it. A carrier should do both alone.</div><div><br></div><div>Not part of it: prices, claims, new carriers.</div>',
  criteria: '<div>Fewer than 100 calls a day by the end of March.</div>',
  children: [
    {
      id: 214,
      type: 'User Story',
      title: 'Carrier sees its own appointments',
      state: 'Closed',
      area: 'carriers',
      sprint: 23,
      assignee: 'aoife',
      points: 5,
      priority: 1,
      tags: 'portal',
      text: '<div>As a <b>carrier</b> I want to see my appointments of this week and the next, so that I need not call.</div>',
      criteria:
        '<div><b>Given</b> two carriers, <b>when</b> one of them looks, <b>then</b> it sees nothing of the other</div><div><b>Given</b> a facility in another time zone, <b>when</b> an appointment is shown, <b>then</b> in the time of the facility</div>',
      children: [
        task(441, 'Sign-in for carriers', 'Closed', 'samuel', { hours: [8, 0, 11], activity: 'Development' }),
        task(442, 'List of appointments, two weeks', 'Closed', 'aoife', { hours: [6, 0, 6], activity: 'Development' }),
        task(443, 'Try to see another carrier’s appointments', 'Closed', 'samuel', {
          hours: [4, 0, 4],
          activity: 'Testing',
        }),
      ],
    },
    {
      id: 215,
      type: 'User Story',
      title: 'Documents of an appointment have one home',
      state: 'Active',
      area: 'carriers',
      sprint: 24,
      assignee: 'diego',
      points: 8,
      priority: 1,
      tags: 'documents; portal',
      text: `<div>As a <b>clerk</b> I want delivery notes, photos and seals of an appointment in one place, so that I need not search three systems.</div><div><br></div><div>Everything that waits for it: <a href="{tracker}/Harbor/_workitems/edit/205">#205</a>, <a href="{tracker}/Harbor/_workitems/edit/216">#216</a>. ${mention('tomas')}&nbsp;and ${mention('aoife')}&nbsp;tell their needs by Friday.</div><ul><li>up to 25&nbsp;MB a document</li><li>kept 400 days</li></ul>`,
      criteria:
        '<div><b>Given</b> an appointment, <b>when</b> a document is added, <b>then</b> it is listed with who and when</div><div><b>Given</b> a document of 26&nbsp;MB, <b>when</b> it is added, <b>then</b> it is refused with the limit</div>',
      comments: [
        {
          day: '2026-11-18',
          by: 'diego',
          text: '<div>Storage is there. Access rights take until the end of the iteration.</div>',
        },
      ],
      children: [
        task(451, 'Store for documents', 'Closed', 'diego', {
          hours: [10, 0, 12],
          activity: 'Development',
          sprint: 23,
        }),
        task(452, 'Who may see which document', 'Active', 'samuel', { hours: [8, 6, 2], activity: 'Development' }),
        task(453, 'Delete after 400 days', 'New', 'diego', { hours: [4, 4, 0], activity: 'Development' }),
        task(454, 'Page with the documents of an appointment', 'New', 'aoife', {
          hours: [8, 8, 0],
          activity: 'Development',
        }),
        {
          id: 505,
          type: 'Bug',
          title: 'Names of documents with accents cannot be opened',
          state: 'New',
          area: 'carriers',
          writtenOn: '2026-11-11',
          severity: '3 - Medium',
          tags: 'documents',
          text: '<div>Upload <code>albarán 2041.pdf</code>, then open it: <b>404</b>. <code>albaran 2041.pdf</code> works.</div>',
        },
      ],
    },
    {
      id: 216,
      type: 'User Story',
      title: 'Carrier moves its own appointment',
      state: 'New',
      area: 'carriers',
      points: 8,
      tags: 'portal',
      text: '<div>As a <b>carrier</b> I want to move an appointment to another free slot, so that a delay costs one click and no call.</div>',
      criteria:
        '<div><b>Given</b> an appointment more than 4 hours away, <b>when</b> it is moved, <b>then</b> the old slot is free at once</div><div><b>Given</b> no free slot on that day, <b>when</b> it is moved, <b>then</b> the old appointment stands</div>',
      children: [
        task(461, 'Free slots of a day, as the carrier sees them', 'New', null, {
          hours: [8, 8, 0],
          activity: 'Development',
        }),
        task(462, 'Move in one step, or not at all', 'New', null, { hours: [8, 8, 0], activity: 'Development' }),
        task(463, 'Mail with the new time', 'New', null, { hours: [3, 3, 0], activity: 'Development' }),
        task(464, 'Limit of moves a week', 'New', null, { hours: [2, 2, 0], activity: 'Requirements' }),
      ],
    },
    {
      id: 217,
      type: 'User Story',
      title: 'Carrier gets a weekly report of its punctuality',
      state: 'New',
      area: 'carriers',
      points: 3,
      priority: 3,
      tags: 'portal; report',
      text: onTimeReport,
      criteria: onTimeReportCriteria,
      children: [
        task(471, 'Rate of each carrier by week', 'New', null, { hours: [5, 5, 0], activity: 'Development' }),
        task(472, 'Mail on Monday morning', 'New', null, { hours: [3, 3, 0], activity: 'Development' }),
        task(473, 'Page with the last twelve weeks', 'New', null, { hours: [5, 5, 0], activity: 'Development' }),
      ],
    },
    {
      id: 218,
      type: 'User Story',
      title: 'Keys for carriers with their own planning system',
      state: 'Active',
      area: 'carriers',
      sprint: 24,
      assignee: 'samuel',
      points: 5,
      tags: 'interface; portal',
      text: carrierKeys,
      criteria: carrierKeysCriteria,
      children: [
        task(481, 'Make, show once and revoke a key', 'Active', 'samuel', {
          hours: [8, 3, 5],
          activity: 'Development',
        }),
        task(482, 'Limit of calls for each key', 'New', 'samuel', { hours: [5, 5, 0], activity: 'Development' }),
        task(483, 'Description of the interface', 'New', 'aoife', { hours: [6, 6, 0], activity: 'Documentation' }),
        task(484, 'Trial with Blue Heron Freight', 'New', 'samuel', { hours: [4, 4, 0], activity: 'Testing' }),
      ],
    },
    {
      id: 219,
      type: 'User Story',
      title: 'Names of carriers match whatever their spelling',
      state: 'Resolved',
      area: 'carriers',
      sprint: 23,
      assignee: 'tomas',
      points: 3,
      tags: 'portal',
      text: '<div>As a <b>clerk</b> I want <i>Sandbar Haulage Ltd.</i> and <i>SANDBAR HAULAGE</i> to be one carrier, so that the figures are right.</div>',
      criteria:
        '<div><b>Given</b> two spellings that differ in case, dots or legal form, <b>when</b> a booking comes in, <b>then</b> it goes to the same carrier</div>',
      children: [
        task(491, 'Fold case, dots and legal forms', 'Closed', 'tomas', { hours: [4, 0, 4], activity: 'Development' }),
        task(492, 'Merge the carriers that are there twice', 'Closed', 'tomas', {
          hours: [6, 0, 9],
          activity: 'Deployment',
        }),
        task(493, 'List of merges for the carrier desk', 'Closed', 'mei', {
          hours: [2, 0, 2],
          activity: 'Documentation',
        }),
      ],
    },
    {
      id: 506,
      type: 'Bug',
      title: 'Portal shows appointments an hour late since the clocks went back',
      state: 'Active',
      area: 'carriers',
      writtenOn: '2026-11-11',
      sprint: 24,
      assignee: 'aoife',
      points: 3,
      priority: 1,
      severity: '1 - Critical',
      tags: 'portal; time zone',
      text: timeZoneMail,
    },
  ],
}
