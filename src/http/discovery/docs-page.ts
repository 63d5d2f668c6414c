import { SERVICE_NAME } from './handshake'

/** The page on which the API can be read and tried. Its URLs are relative, so that it also works behind a prefix. */
export function docsPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${SERVICE_NAME}: the API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/start.js" defer></script>
</head>
<body>
<main id="api"></main>
<noscript>This page needs JavaScript. The same as a text: <a href="llms-full.txt">llms-full.txt</a></noscript>
</body>
</html>
`
}
