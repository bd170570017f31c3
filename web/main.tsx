import { render } from 'preact'

import { App } from './app.tsx'

const place = document.querySelector('#app')
if (place === null) throw new Error('starting the page: expected an element #app')
place.replaceChildren() // what index.html shows until now
render(<App />, place)
