import type { GateVisitState } from '../../docks'
import { assetUrl } from '../assets'
import { type Html, html } from '../html'
import { type GateLanguage, gateTexts } from './gate-language'

/** The page with which drivers check in. Its script sends the form and shows what the service says. */
export function renderGatePage(language: GateLanguage): Html {
  const texts = gateTexts[language]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${texts.title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetUrl('gate.css')}">
<script type="module" src="${assetUrl('gate.js')}"></script>
</head>
<body data-sending="${texts.sending}" data-offline="${texts.offline}">
<header>
<p id="facility"></p>
<nav aria-label="${texts.language}">${Object.entries(gateTexts).map(
    ([name, { languageName }]) =>
      html`<a href="/gate?lang=${name}" lang="${name}" hreflang="${name}"${name === language ? html` aria-current="true"` : ''}>${languageName}</a> `,
  )}</nav>
</header>
<main>
<h1>${texts.title}</h1>
<noscript><p class="state">${texts.needsScript} ${texts.askGate}</p></noscript>
<form id="check-in" method="post" action="/gate/check-in" hidden>
<label for="number">${texts.label}</label>
<input id="number" name="number" required maxlength="100" autocomplete="off" autocapitalize="characters" spellcheck="false" enterkeyhint="send" aria-describedby="number-about">
<p id="number-about">${texts.hint}</p>
<button type="submit">${texts.submit}</button>
</form>
<div id="state" class="state" role="status" aria-live="polite"></div>
<p id="connection" role="status" aria-live="polite"></p>
<button id="again" type="button" class="quiet" hidden>${texts.again}</button>
<template id="ended">${renderProblem('linkEnded', language)}</template>
<template id="failed">${renderProblem('askGate', language)}</template>
</main>
</body>
</html>
`
}

/** What a driver who has checked in reads. A page that drivers share does not stay. */
export function renderVisit(state: GateVisitState, language: GateLanguage, { stays }: { stays: boolean }): Html {
  const texts = gateTexts[language]
  switch (state.kind) {
    case 'waiting':
      return html`<p>${texts.checkedIn}</p>
<p class="main">${texts.waiting}</p>
<p class="main">${state.position === 1 ? texts.next : texts.position.replace('{position}', String(state.position))}</p>
${stays ? html`<p>${texts.keepOpen}</p>` : ''}`
    case 'to-door':
      return html`<p class="main">${texts.toDoor}</p>
<p class="door">${state.door}</p>`
    case 'loading':
      return html`<p>${texts.loading}</p>
<p class="door">${state.door}</p>`
    case 'completed':
      return html`<p class="main">${texts.completed}</p>`
    case 'left':
      return html`<p class="main">${texts.left}</p>`
    case 'ask-gate':
      return html`<p class="main">${texts.askGate}</p>`
  }
}

/** Why the page cannot go on, and what to do. */
export function renderProblem(problem: 'notFound' | 'tooMany' | 'linkEnded' | 'askGate', language: GateLanguage): Html {
  const texts = gateTexts[language]
  const next = problem === 'notFound' ? texts.checkNumber : problem === 'askGate' ? null : texts.askGate
  return html`<p class="main">${texts[problem]}</p>${
    next === null
      ? ''
      : html`
<p>${next}</p>`
  }`
}
