import { databaseConnection } from '../fake-secrets'
import { mention } from '../people'

/** Story 218: somebody pasted a connection string where everybody can read it. */
export const carrierKeys = `<div>As a <b>carrier with a planning system of its own</b> I want a key for the interface, so that my system books the appointments and nobody types them.</div>
<div><br></div>
<div>Rules that ${mention('samuel')} and Legal agreed on:</div>
<ul><li>two keys at a time, so that one can be changed while the other works</li><li>a key is shown <b>once</b></li><li>a carrier sees its own appointments only</li></ul>
<div>The trial runs against the staging database:</div>
<pre>export PORTAL_DB="${databaseConnection}"
npm run portal -- --carrier blue-heron</pre>
<div>Background: <a href="https://www.rfc-editor.org/rfc/rfc6750">RFC 6750</a></div>`

export const carrierKeysCriteria = `<div><b>Given</b> a carrier with two keys, <b>when</b> it asks for a third, <b>then</b> it is refused and told why</div>
<div><b>Given</b> a key that was revoked, <b>when</b> it is used, <b>then</b> the answer is 401 within a minute</div>`
