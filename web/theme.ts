/** Runs before the first paint, so that a dark page never flashes light. */
import { applyTheme, keptTheme } from './live/theme.ts'

applyTheme(keptTheme())
