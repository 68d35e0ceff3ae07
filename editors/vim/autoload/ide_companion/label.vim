vim9script
# The line above each side of a proposal: first the keys, which the mouse can click; then as many words as fit.

import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/text.vim' as text_of

# A name of a menu, in which some characters have a meaning.
def ToName(text: string): string
  return text->substitute('[[:cntrl:]]', '?', 'g')->escape(' .|\')->substitute('&', '&&', 'g')
enddef

# `items`: text and what a click on it does. Vim cuts the row at the edge of the window.
def SetBar(window: number, items: list<list<string>>)
  Clear(window)
  setwinvar(window, 'ide_companion_bar', winbufnr(window))
  var position = 0
  for [text, command] in items
    position += 1
    win_execute(window, printf('nnoremenu 1.%d WinBar.%s %s', position, ToName(text), command))
  endfor
enddef

# Items that do nothing; empty ones are left out.
def Words(...texts: list<string>): list<list<string>>
  return copy(texts)->filter((_, text) => text != '')->mapnew((_, text) => [text, '<Nop>'])
enddef

# What the user must know about the file before the decision.
def Notes(proposal: dict<any>): string
  const buffer = text_of.BufferOf(proposal.filePath)
  const unsaved = buffer > 0 && getbufvar(buffer, '&modified') ? ['Your unsaved changes are not in it.'] : []
  const edit = proposal_of.IsReadOnly(proposal) ? [':IdeCompanion edit lets you edit your own version.'] : []
  return join(unsaved + edit + proposal.notes, ' ')
enddef

# `:w` does nothing where the option 'write' is off.
def Keys(room: number): list<list<string>>
  const key = &write ? ':w' : 'ZZ'
  const [yes, no] = room < 30 ? [' yes', ' no'] : [' accepts', ' rejects']
  return [[key .. yes, '<Cmd>IdeCompanion accept<CR>'], [':q' .. no, '<Cmd>IdeCompanion reject<CR>']]
enddef

# What is above the proposed text, the most important first.
def ItemsOf(proposal: dict<any>): list<list<string>>
  const [agent: string, label: string, count] = [proposal.agent, proposal.label, len(proposal.comments)]
  if proposal.ended != ''
    return [[':q closes', '<Cmd>IdeCompanion reject<CR>']] + Words(proposal.ended)
  endif
  const [fact, state] = [get(proposal.facts, 0, ''), get(proposal, 'words', [])->get(1, '')]
  const comments = count == 0 ? '' : count == 1 ? '1 comment' : count .. ' comments'
  const first = Words(fact) + Keys(winwidth(proposal.view.proposed) - strdisplaywidth(fact)) + Words(state)
  if proposal_of.IsReadOnly(proposal)
    return first + Words('read-only', comments, agent .. ': ' .. label, proposal.readOnlyReason)
  elseif proposal.view.base > 0
    return first + Words(comments, agent .. ' proposes', ']c next change, do reverts it')
  endif
  # Without the original next to it, nothing else names the file.
  return first + Words(comments, printf('%s proposes %s', agent, label), Notes(proposal))
enddef

# Puts it above the windows of a view.
export def Set(proposal: dict<any>)
  if !has('menu')
    return
  endif
  const [base: number, proposed: number] = [proposal.view.base, proposal.view.proposed]
  if base > 0
    SetBar(base, Words(proposal.label .. ' on disk', Notes(proposal)))
  endif
  SetBar(proposed, ItemsOf(proposal))
enddef

# Items without an action, above a window of no proposal.
export def SetTexts(window: number, texts: list<string>)
  if has('menu')
    SetBar(window, call(Words, texts))
  endif
enddef

# For a window that stays when its proposal closes.
export def Clear(window: number)
  setwinvar(window, 'ide_companion_bar', 0)
  win_execute(window, 'silent! aunmenu WinBar')
enddef

# The user has put another file into the window of a text that has a line above it.
def ClearForeign()
  if get(w:, 'ide_companion_bar', 0) > 0 && w:ide_companion_bar != bufnr()
    Clear(win_getid())
  endif
enddef

augroup ide_companion_label
  autocmd!
  autocmd BufWinEnter * ClearForeign()
augroup END
