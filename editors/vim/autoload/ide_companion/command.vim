vim9script
# :IdeCompanion, one entry per subcommand.

import autoload 'ide_companion.vim' as api
import autoload 'ide_companion/doctor.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'

def RunAgent(arguments: list<string>)
  if empty(arguments)
    say.Error('Name the agent: :IdeCompanion run {agent}')
  else
    api.Run(arguments[0], arguments[1 :])
  endif
enddef

# Subcommands without arguments.
const plain_words: dict<func()> = {
  accept: api.Accept,
  reject: api.Reject,
  ask_more: api.AskMore,
  say_why: api.SayWhy,
  comments: api.Comments,
  next: api.Diff,
  previous: api.Previous,
  list: api.List,
  hunks: api.Hunks,
  accept_all: api.AcceptAll,
  reject_all: api.RejectAll,
  edit: api.Edit,
  diff: api.Diff,
  edits: api.Edits,
  merge: api.Merge,
  pause: api.Pause,
  resume: api.Resume,
  status: status.Show,
  log: log.Show,
  doctor: doctor.Show,
  start: api.Start,
  stop: api.Stop,
  restart: api.Restart,
}
const words = sort(keys(plain_words) + ['comment', 'run', 'send'])

# Without a subcommand it runs `status`.
export def Run(first: number, last: number, arguments: list<string>)
  const word = get(arguments, 0, 'status')
  if index(words, word) < 0
    say.Error(printf('There is no %s, only %s', word, join(words, ', ')))
    return
  endif
  try
    if word == 'run'
      RunAgent(arguments[1 :])
    elseif word == 'send'
      api.Send(first, last)
    elseif word == 'comment'
      api.Comment(first, last)
    else
      plain_words[word]()
    endif
  catch /^ide-companion: /
    say.Error(v:exception)
  endtry
enddef

export def Complete(lead: string, line: string, _: number): list<string>
  const is_agent = line =~ '\<IdeCompanion!\=\s\+run\s'
  const agents: list<dict<any>> = server.Agents()
  const candidates: list<string> = is_agent ? mapnew(agents, (_, agent) => agent.name) : words
  return filter(copy(candidates), (_, name) => stridx(name, lead) == 0)
enddef
