import { codeHostToken, messageGatewayAddress, trackerToken } from '../fake-secrets'
import { mention } from '../people'

/** Story 204: begun in a word processor, pasted, then edited by three people. */
export const doorMessage = `<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings><w:WordDocument><w:View>Normal</w:View></w:WordDocument></xml><![endif]-->
<style>
<!--
 /* Style Definitions */
 p.MsoNormal, li.MsoNormal {mso-style-unhide:no; margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif; mso-fareast-language:EN-US;}
-->
</style>
<p class=MsoNormal style='margin-bottom:8.0pt;line-height:107%'><b><span lang=EN-US style='font-size:14.0pt;mso-ansi-language:EN-US'>Tell the driver which door to go to<o:p></o:p></span></b></p>
<p class=MsoNormal><span lang=EN-US style='mso-ansi-language:EN-US'>As a <b>driver</b> who has checked in, I want a text message with my dock door, so that I can stay in the cab instead of walking back to the gatehouse.<o:p></o:p></span></p>
<p class=MsoNormal><span lang=EN-US><o:p>&nbsp;</o:p></span></p>
<p class=MsoNormal><span lang=EN-US>The message goes out when the door is <i>assigned</i>, and again when it <i>changes</i>:&nbsp;&nbsp;&nbsp;&nbsp;<o:p></o:p></span></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>1.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span><![endif]>Door, bay side and the lane to take<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>2.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span><![endif]>How many trucks are ahead<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>3.<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span><![endif]>The number of the gate, for questions: +1 (555) 010-0147<o:p></o:p></p>
<div><br></div>
<div>${mention('priya')}&nbsp;please check the wording with the drivers' union, ${mention('jonas')}&nbsp;owns the gateway. Contact there: Marek Dvořák, <a href="mailto:marek.dvorak@sms.quayside.example">marek.dvorak@sms.quayside.example</a>, 555-010-0162.</div>
<div><br></div>
<h3><font color="#1f497d" face="Segoe UI">What the driver sees</font></h3>
<div><img src="{tracker}/Harbor/_apis/wit/attachments/5c0e7d2a-8b41-4f6e-9d3c-2a7b1e5f8c04?fileName=door-message.png" alt="Image" width="360"></div>
<pre><code>HARBOR DC1: door 14 (east side), lane B. 2 trucks ahead.
Questions: gate +1 555 010 0147</code></pre>
<h3><font color="#1f497d" face="Segoe UI">Languages</font></h3>
<table border=1 cellpadding=4 style='border-collapse:collapse;mso-yfti-tbllook:1184'>
<tr style='mso-yfti-irow:0'><th>Language</th><th>Share of drivers</th><th>When</th></tr>
<tr style='mso-yfti-irow:1'><td>English</td><td align=right>58&nbsp;%</td><td>now</td></tr>
<tr style='mso-yfti-irow:2'><td>Spanish</td><td align=right>27&nbsp;%</td><td>now</td></tr>
<tr style='mso-yfti-irow:3'><td>Polish, Romanian</td><td align=right>11&nbsp;%</td><td>later, see <a href="{tracker}/Harbor/_workitems/edit/206" data-vss-mention="version:1.0">#206</a></td></tr>
</table>
<h3><font color="#1f497d" face="Segoe UI">For whoever builds it</font></h3>
<ul>
<li>The gateway's own description: <a href="https://docs.example.com/messaging/v2" target="_blank" rel="noopener">docs.example.com/messaging/v2</a>
<ul><li>it retries for an hour; we must not</li><li>one message is 160 characters, <b>70</b> with accents</li></ul></li>
<li>Test account: <code>${messageGatewayAddress}</code></li>
<li>Until the pipeline has its own, use mine to read the board: <code>${trackerToken}</code> and <code>${codeHostToken}</code> &nbsp;&mdash; Jonas</li>
</ul>
<p class=MsoNormal><span style='mso-bookmark:_MailAutoSig'><a href="javascript:void(0)" onclick="return false">Show more</a></span><img src="https://mail.example.net/open.gif?m=7f31" width="1" height="1"></p>`

export const doorMessageCriteria = `<div><b>Given</b> a truck that has checked in and whose driver left a mobile number</div>
<div><b>When</b> a dock door is assigned</div>
<div><b>Then</b> the driver gets a message with the door and the lane within 30 seconds</div>
<div><b>And</b> the gate guard sees that it was delivered</div>
<div><br></div>
<div><b>Given</b> a driver who has been told door 14</div>
<div><b>When</b> the door changes to 9</div>
<div><b>Then</b> a second message says so, and begins with <code>CHANGED</code></div>
<div><br></div>
<div><b>Given</b> a driver without a mobile number</div>
<div><b>When</b> a door is assigned</div>
<div><b>Then</b> nothing is sent, and the door stands on the board at the gate</div>`
