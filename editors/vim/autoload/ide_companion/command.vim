vim9script
# :IdeCompanion, one entry per subcommand. Each script is loaded when it is first needed.

import autoload 'ide_companion/agents.vim'
import autoload 'ide_companion/comments.vim'
import autoload 'ide_companion/conflict.vim'
import autoload 'ide_companion/context.vim'
import autoload 'ide_companion/diff.vim'
import autoload 'ide_companion/doctor.vim'
import autoload 'ide_companion/lists.vim'
import autoload 'ide_companion/log.vim'
import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/say.vim'
import autoload 'ide_companion/send.vim'
import autoload 'ide_companion/server.vim'
import autoload 'ide_companion/status.vim'
import autoload 'ide_companion/stored.vim'
import autoload 'ide_companion/terminal.vim'
import autoload 'ide_companion/view.vim'
import autoload 'ide_companion/written.vim'

# The proposal in the current tab; empty when there is none.
def Current(): dict<any>
  return diff.Find((proposal) => view.IsCurrent(proposal))
enddef

# Runs an action on the proposal of the current tab, else on the oldest. What Vim cannot show waits on the page.
def WithCurrent(Action: func(dict<any>))
  const here = Current()
  const proposal = empty(here) ? get(diff.Waiting(), 0, {}) : here
  if !empty(proposal)
    Action(proposal)
  elseif empty(status.Get().diffs)
    say.Info('No proposal waits for you.')
  else
    stored.Page()
  endif
enddef

# Decides about the proposal of the current tab, or about the only one: of several, the user may have seen none. `kind` is
# diffAccepted or diffRejected.
def Decide(kind: string, with_comments = false)
  const waiting = diff.Waiting()
  if len(waiting) > 1 && empty(Current())
    Enter(waiting[0])
    say.Info(printf('%d proposals wait, and this is the oldest: %s', len(waiting), waiting[0].label))
    return
  endif
  WithCurrent((proposal) => {
    if with_comments && empty(proposal.comments)
      say.Info('Comment on a line first: :IdeCompanion comment')
    else
      diff.Decide(proposal, kind, with_comments)
    endif
  })
enddef

def Enter(proposal: dict<any>)
  view.Enter(proposal)
  if proposal_of.IsReadOnly(proposal)
    say.Info(proposal.readOnlyReason .. '   :IdeCompanion edit')
  endif
enddef

# Goes to the oldest proposal; from a proposal to the next one, or to the one before it when `by` is -1.
def Go(by: number)
  const here = Current()
  if empty(here)
    WithCurrent(Enter)
  else
    const waiting = diff.Waiting()
    const index = waiting->mapnew((_, proposal) => proposal.serial)->index(here.serial)
    Enter(waiting[(index + by) % len(waiting)])
  endif
enddef

# Does something about the current proposal, and about more of its agent: `action` is one of `companion/act`.
def Act(action: string, stop_at: list<string> = [])
  WithCurrent((proposal) => {
    stored.ActOnWaiting(action, proposal.id, stop_at)
  })
enddef

# Lets the user edit a proposal whose agent takes no edits.
def Edit(proposal: dict<any>)
  proposal_of.Unlock(proposal)
  Enter(proposal)
  view.Refresh(proposal)
  if proposal.ownVersion
    say.Info(printf(':w lets %s write its own text, then :IdeCompanion edits offers yours', proposal.agent))
  endif
enddef

# Subcommands without arguments.
const plain_words: dict<func> = {
  accept: () => Decide('diffAccepted'),
  reject: () => Decide('diffRejected'),
  ask_more: () => Decide('diffAccepted', true),
  say_why: () => Decide('diffRejected', true),
  comments: () => stored.Show('comments'),
  next: () => Go(1),
  previous: () => Go(-1),
  list: () => WithCurrent((_) => {
    lists.Show('waiting')
  }),
  accept_all: () => stored.ActOnWaiting('accept'),
  reject_all: () => stored.ActOnWaiting('reject'),
  accept_rest: () => Act('accept-agent'),
  stop_ahead: () => stored.ActOnWaiting('stop-ahead'),
  edit: () => WithCurrent(Edit),
  diff: () => Go(1),
  edits: () => stored.Show('edits'),
  merge: () => conflict.Merge(),
  written_hunks: () => lists.Show('written'),
  next_written: () => written.Go(1),
  previous_written: () => written.Go(-1),
  pause: () => stored.Pause(true),
  resume: () => stored.Pause(false),
  page: () => stored.Page(),
  status: () => status.Show(),
  log: () => log.Show(),
  doctor: () => doctor.Show(),
  start: () => server.Start(),
  stop: () => server.Stop(),
  restart: () => server.Restart(),
}
# Those with lines or arguments. `lines` are the first and the last one; `is_given` is whether the user has named them.
const other_words: dict<func> = {
  comment: (lines, _, _) => WithCurrent((proposal) => {
    comments.Ask(proposal, lines[0], lines[1])
  }),
  accept_ahead: (_, _, arguments) => Act('accept-ahead', arguments),
  history: (_, _, arguments) => stored.Show('history', join(arguments)),
  written: (_, _, arguments) => stored.Show('written', join(arguments)),
  keep: (lines, _, _) => written.Decide('keep', lines[0], lines[1]),
  revert: (lines, _, _) => written.Decide('revert', lines[0], lines[1]),
  review: (_, _, arguments) => stored.Review(get(arguments, 0, '')),
  run: (_, _, arguments) => terminal.Run(get(arguments, 0, ''), arguments[1 :]),
  continue: (_, _, arguments) => terminal.Continue(get(arguments, 0, '')),
  toggle: (_, _, arguments) => terminal.Toggle(get(arguments, 0, '')),
  focus: (_, _, arguments) => terminal.Focus(get(arguments, 0, '')),
  send: (lines, _, arguments) => empty(arguments) ? send.Lines(lines[0], lines[1]) : send.Paths(arguments),
  send_diagnostics: (lines, _, _) => send.Diagnostics(lines[0], lines[1]),
  send_text: (lines, is_given, arguments) => send.Text(join(arguments), is_given ? lines : []),
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
