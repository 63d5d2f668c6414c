import { mention } from '../people'

/** Story 205. */
export const trailerPhotos = `<div>As a <b>yard clerk</b> I want the photos of the trailer's inspection to be kept with the check-in, so that a claim about damage is settled in minutes.</div>
<div><br></div>
<div>Today the photos stay on the clerk's telephone. In October we <u>lost 3 claims</u> (together 18,400) because nobody could find them.</div>
<ol>
<li>Four photos at least: front, both sides, doors
<ul>
<li>a fifth of the seal, when there is one</li>
<li>at most 10 altogether</li>
</ul></li>
<li>They are kept for <b>400 days</b></li>
<li>A carrier sees those of its own trailers only</li>
</ol>
<div>The store comes from <a href="{tracker}/Harbor/_workitems/edit/215">User Story 215</a>. ${mention('diego')}&nbsp;wants to know the size of a photo before he fixes the quota.</div>
<div><img src="{tracker}/Harbor/_apis/wit/attachments/91d4b6f0-3e27-4c8a-b5f1-6c0d9e2a7b15?fileName=trailer-front.jpg" alt="trailer-front.jpg"></div>`

export const trailerPhotosCriteria = `<ul>
<li><b>Given</b> a check-in without photos, <b>when</b> the clerk closes it, <b>then</b> it asks for the four that are missing</li>
<li><b>Given</b> no network in the yard, <b>when</b> a photo is taken, <b>then</b> it is sent as soon as there is one</li>
<li><b>Given</b> another carrier's trailer, <b>when</b> its photos are asked for, <b>then</b> they are not found</li>
</ul>`
