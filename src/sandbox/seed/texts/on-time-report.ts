/** Story 217: the middle part is a range pasted out of a spreadsheet. */
export const onTimeReport = `<div>As a <b>carrier</b> I want to see every Monday how often I came on time, so that I hear of it before the yearly talk.</div>
<div><br></div>
<div>This is how Mei does it by hand:</div>
<!--StartFragment-->
<table border=0 cellpadding=0 cellspacing=0 width=421 style='border-collapse:collapse;table-layout:fixed;width:316pt'>
<colgroup><col width=153 style='mso-width-source:userset;mso-width-alt:5595;width:115pt'><col width=67 span=4 style='width:50pt'></colgroup>
<tr height=20 style='height:15.0pt'>
<td height=20 class=xl65 width=153 style='height:15.0pt;width:115pt'>Carrier</td><td class=xl65>Booked</td><td class=xl65>On time</td><td class=xl65>Late</td><td class=xl65>Rate</td>
</tr>
<tr height=20 style='height:15.0pt'>
<td height=20 style='height:15.0pt'>Blue Heron Freight</td><td align=right>41</td><td align=right>37</td><td align=right>4</td><td class=xl66 align=right x:num="0.902" x:fmla="=C2/B2">90%</td>
</tr>
<tr height=20 style='height:15.0pt'>
<td height=20 style='height:15.0pt'>Sandbar Haulage&nbsp;&nbsp;&nbsp;&nbsp;</td><td align=right>18</td><td align=right>11</td><td align=right>7</td><td class=xl66 align=right x:num="0.611" x:fmla="=C3/B3">61%</td>
</tr>
<tr height=20 style='height:15.0pt'>
<td height=20 style='height:15.0pt'>Old Pier Lines</td><td align=right>26</td><td align=right>26</td><td align=right>0</td><td class=xl66 align=right x:num="1" x:fmla="=C4/B4">100%</td>
</tr>
</table>
<!--EndFragment-->
<div><br></div>
<div>On time means checked in no more than 15 minutes after the start of the appointment. Questions: <a href="mailto:carrier.desk@quayside.example">carrier.desk@quayside.example</a></div>`

export const onTimeReportCriteria = `<div>Given a carrier with appointments in the last week<br>When it is Monday, 06:00 at the facility<br>Then the report is in its mailbox, and on its page</div>
<div><br></div>
<div>Given a carrier without any<br>When it is Monday<br>Then nothing is sent</div>`
