import { answerTask } from '../fork-task.ts'
import { playOrder } from './play.ts'

answerTask(playOrder)
