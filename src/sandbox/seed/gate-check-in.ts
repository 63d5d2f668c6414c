import type { ItemPlan } from './item-plan'
import { task } from './item-plan'
import { mention } from './people'
import { doorMessage, doorMessageCriteria } from './texts/door-message'
import { trailerPhotos, trailerPhotosCriteria } from './texts/trailer-photos'

/** Feature 101 and what is below it: 30 items. */
export const gateCheckIn: ItemPlan = {
  id: 101,
  type: 'Feature',
  title: 'Drivers check in at the gate without paper',
  state: 'Active',
  area: 'yard',
  writtenOn: '2026-09-28',
  assignee: 'priya',
  priority: 1,
  tags: '2026-Q4; gate',
  text: `<div>A truck that arrives today costs the gate <b>14 minutes</b>: a form, a stamp, a telephone call to the floor. On a Monday morning the queue reaches the main road.</div><div><br></div><h2>What will be different</h2><ul><li>the driver checks in at a kiosk, or from the cab</li><li>the guard sees who comes, and lets the truck in with one touch</li><li>the door is told to the driver, not called out</li></ul><h2>How we know</h2><div>Median time at the gate <b>below 4 minutes</b> in December, measured at DC1. Figures of today: <a href="https://wiki.example.com/harbor/gate-times">wiki.example.com/harbor/gate-times</a></div>`,
  criteria:
    '<div>Median time at the gate below 4 minutes over two weeks, no paper form in use at DC1, and the guards would not want it back.</div>',
  hyperlinks: [{ url: 'https://wiki.example.com/harbor/gate-times', comment: 'Gate times since 2024' }],
  comments: [
    { day: '2026-10-30', by: 'hannah', text: '<div>DC1 has agreed to be first. DC2 follows in January.</div>' },
    {
      day: '2026-11-12',
      by: 'priya',
      text: `<div>${mention('hannah')}&nbsp;205 will not make it this year unless 215 does.</div>`,
    },
  ],
  children: [
    {
      id: 201,
      type: 'User Story',
      title: 'Driver checks in with the booking reference',
      state: 'Closed',
      area: 'yard',
      sprint: 22,
      assignee: 'tomas',
      points: 5,
      priority: 1,
      tags: 'gate; kiosk',
      text: "<div>As a <b>driver</b> I want to check in with the reference of my booking, so that nobody has to look me up in a list.</div><div><br></div><div>The reference is what the carrier gave the driver: a number of ours, of theirs, or the trailer's. All three must work.</div>",
      criteria:
        '<div><b>Given</b> a booking for today, <b>when</b> the driver types its reference, <b>then</b> the check-in is recorded with the time</div><div><b>Given</b> a reference that nobody knows, <b>when</b> it is typed, <b>then</b> the guard is called</div>',
      children: [
        task(311, 'Look-up of a booking by any of its references', 'Closed', 'tomas', {
          hours: [8, 0, 9],
          activity: 'Development',
        }),
        task(312, 'Screen of the kiosk: type, confirm, done', 'Closed', 'aoife', {
          hours: [10, 0, 8],
          activity: 'Development',
        }),
        task(313, 'Try it with five drivers at DC1', 'Closed', 'priya', { hours: [4, 0, 6], activity: 'Testing' }),
      ],
    },
    {
      id: 202,
      type: 'User Story',
      title: 'Kiosk reads the licence plate',
      state: 'Closed',
      area: 'yard',
      sprint: 23,
      assignee: 'jonas',
      points: 8,
      tags: 'camera; gate; kiosk',
      text: '<div>As a <b>driver</b> I want the kiosk to know my truck by its plate, so that I need not type anything.</div><ul><li>the camera is the one that hangs there</li><li>plates with mud on them: fall back to the reference</li></ul>',
      criteria:
        '<div><b>Given</b> a clean plate of a booked truck, <b>when</b> it stops at the line, <b>then</b> its booking is on the screen within 3 seconds</div>',
      children: [
        task(321, 'Stream of the gate camera into the reader', 'Closed', 'jonas', {
          hours: [12, 0, 15],
          activity: 'Development',
        }),
        task(322, 'Match plates that were read with one wrong character', 'Closed', 'jonas', {
          hours: [6, 0, 5],
          activity: 'Development',
        }),
        task(323, 'Delete pictures after 24 hours', 'Closed', 'samuel', { hours: [3, 0, 3], activity: 'Development' }),
        task(324, 'Measure the rate of correct reads over a week', 'Closed', 'mei', {
          hours: [4, 0, 4],
          activity: 'Testing',
        }),
      ],
    },
    {
      id: 203,
      type: 'User Story',
      title: 'Guard sees who is expected in the next two hours',
      state: 'Closed',
      area: 'yard',
      sprint: 23,
      assignee: 'aoife',
      points: 5,
      tags: 'gate',
      text: '<div>As a <b>gate guard</b> I want a list of the trucks of the next two hours, so that I can send those away who come on the wrong day.</div><div><br></div><blockquote>I know half of them by face. It is the other half that costs me the morning.</blockquote>',
      criteria:
        '<ul><li>sorted by time, the late ones on top</li><li>readable from two metres</li><li>one touch marks a truck as arrived</li></ul>',
      children: [
        task(331, 'List with colours for late and early', 'Closed', 'aoife', {
          hours: [8, 0, 7],
          activity: 'Development',
        }),
        task(332, 'Refresh within ten seconds of a change', 'Closed', 'tomas', {
          hours: [5, 0, 8],
          activity: 'Development',
        }),
        task(333, 'Large type for the screen at the barrier', 'Closed', 'aoife', {
          hours: [2, 0, 2],
          activity: 'Design',
        }),
      ],
    },
    {
      id: 204,
      type: 'User Story',
      title: 'Driver is told the dock door by text message',
      state: 'Active',
      area: 'yard',
      sprint: 24,
      assignee: 'jonas',
      points: 8,
      priority: 1,
      tags: 'gate; messaging',
      text: doorMessage,
      criteria: doorMessageCriteria,
      comments: [
        {
          day: '2026-11-17',
          by: 'jonas',
          text: `<div>${mention('priya')}&nbsp;the union wants the word <i>please</i> in it. 7 characters, still fits.</div>`,
        },
      ],
      children: [
        task(341, 'Send through the message gateway', 'Closed', 'jonas', {
          hours: [8, 0, 7],
          activity: 'Development',
          sprint: 23,
        }),
        task(342, 'Ask for the mobile number at check-in', 'Active', 'aoife', {
          hours: [5, 2, 3],
          activity: 'Development',
        }),
        task(343, 'Texts in English and Spanish', 'Active', 'priya', { hours: [3, 2, 1], activity: 'Documentation' }),
        task(344, 'Show at the gate whether the message arrived', 'New', null, {
          hours: [6, 6, 0],
          activity: 'Development',
        }),
        {
          id: 501,
          type: 'Bug',
          title: 'Message is sent twice when the door is confirmed twice',
          state: 'Active',
          area: 'yard',
          writtenOn: '2026-11-05',
          sprint: 24,
          assignee: 'jonas',
          points: 2,
          severity: '2 - High',
          tags: 'messaging',
          text: '<ol><li>Assign door 14 to a truck that has checked in</li><li>Press <b>Confirm</b> twice, quickly</li></ol><div><b>Found:</b> two messages, 400 ms apart</div><div><b>Expected:</b> one</div><pre>2026-11-05T06:41:07.112Z send door=14 truck=KX-2207\n2026-11-05T06:41:07.513Z send door=14 truck=KX-2207</pre>',
        },
      ],
    },
    {
      id: 205,
      type: 'User Story',
      title: 'Photos of the trailer inspection travel with the check-in',
      state: 'Active',
      area: 'yard',
      sprint: 24,
      assignee: 'tomas',
      points: 5,
      tags: 'claims; gate',
      blocked: true,
      text: trailerPhotos,
      criteria: trailerPhotosCriteria,
      children: [
        task(351, 'Take and shrink photos on the handheld', 'Active', 'tomas', {
          hours: [8, 5, 4],
          activity: 'Development',
        }),
        task(352, 'Upload when the network is back', 'New', 'tomas', { hours: [8, 8, 0], activity: 'Development' }),
        task(353, 'Keep photos for 400 days, then delete them', 'New', null, {
          hours: [4, 4, 0],
          activity: 'Development',
        }),
      ],
    },
    {
      id: 206,
      type: 'User Story',
      title: 'Late trucks are queued again without a telephone call',
      state: 'New',
      area: 'yard',
      tags: 'gate',
      text: '<div>As a <b>dispatcher</b> I want a truck that comes late to get the next free slot by itself, so that I am not called for each of them.</div><div><br></div><div>Open questions:</div><ul><li>how late is late? 15 or 30 minutes</li><li>does the driver have to agree?</li></ul>',
      children: [
        task(361, 'Rule for late trucks, with the dispatchers', 'New', 'priya', { activity: 'Requirements' }),
        task(362, 'Offer the next free slot at the kiosk', 'New', null, { activity: 'Development' }),
      ],
    },
    {
      id: 207,
      type: 'User Story',
      title: 'Paper log of the gate is scanned every night',
      state: 'Removed',
      area: 'yard',
      points: 3,
      tags: 'gate',
      text: '<div>Not needed once there is no paper. Removed after the talk of 14 October.</div>',
      children: [task(371, 'Choose a scanner', 'Removed', 'samuel', { hours: [2, 2, 0], activity: 'Requirements' })],
    },
    {
      id: 502,
      type: 'Bug',
      title: 'Clock of the check-in shows yesterday after midnight',
      state: 'Active',
      area: 'yard',
      writtenOn: '2026-11-03',
      sprint: 24,
      assignee: 'samuel',
      points: 2,
      severity: '3 - Medium',
      tags: 'gate; kiosk',
      text: '<div>Night shift, DC1. A truck that checks in at 00:10 is listed on the day before, until someone touches the screen.</div><div><br></div><div>Only on kiosk 2. The kiosk runs since 12 October without a restart.</div>',
    },
  ],
}
