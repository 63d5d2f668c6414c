/** Bug 506: a mail, pasted with its head and its foot. */
export const timeZoneMail = `<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>From:</b> Lucía Prieto &lt;lucia.prieto@blueheron.example&gt;<br><b>Sent:</b> Tuesday, 10 November 2026 17:02<br><b>To:</b> Carrier Desk &lt;carrier.desk@quayside.example&gt;<br><b>Subject:</b> RE: RE: wrong hour again<o:p></o:p></p></div>
<p class="MsoNormal"><o:p>&nbsp;</o:p></p>
<p class="MsoNormal">Hello,<o:p></o:p></p>
<p class="MsoNormal">since the clocks went back your portal shows <b>our appointments one hour late</b>. The gate has the right one. Two of our drivers waited on Monday.<o:p></o:p></p>
<p class="MsoNormal">Steps:<o:p></o:p></p>
<p class="MsoNormal" style="margin-left:36.0pt;text-indent:-18.0pt"><span style="font-family:Symbol"><span style="mso-list:Ignore">·<span style="font:7.0pt &quot;Times New Roman&quot;">&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span>open any appointment after 1 November<o:p></o:p></p>
<p class="MsoNormal" style="margin-left:36.0pt;text-indent:-18.0pt"><span style="font-family:Symbol"><span style="mso-list:Ignore">·<span style="font:7.0pt &quot;Times New Roman&quot;">&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span>compare with the confirmation that came by mail<o:p></o:p></p>
<p class="MsoNormal"><o:p>&nbsp;</o:p></p>
<p class="MsoNormal"><span style="color:#7F7F7F">Kind regards<br>Lucía Prieto<br>Blue Heron Freight | Dispatch<br>T +1 (555) 010-0188 | <a href="https://blueheron.example">blueheron.example</a></span></p>
<p class="MsoNormal"><span style="font-size:7.5pt;color:gray">This message is confidential and meant for the addressee alone.&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;&nbsp;</span><img width="1" height="1" src="https://track.example.net/o/9f2c.gif"></p>`
