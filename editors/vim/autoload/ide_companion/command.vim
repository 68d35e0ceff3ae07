vim9script
# :IdeCompanion, one entry per subcommand.

import autoload 'ide_companion.vim' as api
import autoload 'ide_companion/agents.vim'
import autoload 'ide_companion/context.vim'
import autoload 'ide_companion/doctor.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/status.vim'

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
  accept_rest: api.AcceptRest,
  stop_ahead: api.StopAhead,
  hide: api.Hide,
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
# Those with lines or arguments. `lines` are the first and the last one; `is_given` is whether the user has named them.
const other_words: dict<func(list<number>, bool, list<string>)> = {
  comment: (lines, _, _) => {
    api.Comment(lines[0], lines[1])
  },
  accept_ahead: (_, _, arguments) => {
    api.AcceptAhead(arguments)
  },
  history: (_, _, arguments) => {
    api.History(join(arguments))
  },
  written: (_, _, arguments) => {
    api.Written(join(arguments))
  },
  review: (_, _, arguments) => {
    api.Review(get(arguments, 0, ''))
  },
  run: (_, _, arguments) => {
    api.Run(get(arguments, 0, ''), arguments[1 :])
  },
  continue: (_, _, arguments) => {
    api.Continue(get(arguments, 0, ''))
  },
  toggle: (_, _, arguments) => {
    api.Toggle(get(arguments, 0, ''))
  },
  focus: (_, _, arguments) => {
    api.Focus(get(arguments, 0, ''))
  },
  send: (lines, _, arguments) => {
    if empty(arguments)
      api.Send(lines[0], lines[1])
    else
      api.SendPaths(arguments)
    endif
  },
  send_diagnostics: (lines, _, _) => {
    api.SendDiagnostics(lines[0], lines[1])
  },
  send_text: (lines, is_given, arguments) => {
    api.SendText(join(arguments), is_given ? lines : [])
  },
}
# Those that take the name of an agent.
const with_agent = '\<\%(run\|continue\|toggle\|focus\)\>'
const words = sort(keys(plain_words) + keys(other_words))

# Without a subcommand it runs `status`. `count` is the number of lines that the user has named: 0, 1 or 2.
export def Run(count: number, first: number, last: number, arguments: list<string>)
  const word = get(arguments, 0, 'status')
  if index(words, word) < 0
    say.Error(printf('There is no %s, only %s', word, join(words, ', ')))
    return
  endif
  try
    if has_key(plain_words, word)
      plain_words[word]()
    else
      if count > 0 && word =~ with_agent
        context.KeepSelection()
      endif
      other_words[word]([first, last], count > 0, arguments[1 :])
    endif
  catch /^ide-companion: /
    say.Error(v:exception)
  endtry
enddef

export def Complete(lead: string, line: string, _: number): list<string>
  if line =~ '\<IdeCompanion!\=\s\+send\s'
    # A space in an argument needs a backslash.
    return getcompletion(substitute(lead, '\\\(.\)', '\1', 'g'), 'file')->map((_, path) => escape(path, ' \'))
  endif
  if line =~ '\<IdeCompanion!\=\s\+review\s'
    return filter(['before', 'after', 'off'], (_, name) => stridx(name, lead) == 0)
  endif
  const is_agent = line =~ '\<IdeCompanion!\=\s\+' .. with_agent .. '\s'
  const all: list<dict<any>> = agents.All()
  const candidates: list<string> = is_agent ? mapnew(all, (_, agent) => agent.name) : words
  return filter(copy(candidates), (_, name) => stridx(name, lead) == 0)
enddef

defcompile
