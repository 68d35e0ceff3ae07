vim9script
# The line above each side of a proposal: first the keys, which the mouse can click; then as many words as fit.

import autoload 'ide_companion/proposal.vim' as proposal_of
import autoload 'ide_companion/text.vim' as text_of

# Around each item, and between two of them.
const padding = 2
const gap = 2

# A shorter part of a sentence is useless.
const least_cut = 12

# A name of a menu, in which some characters have a meaning.
def ToName(text: string): string
  return text->substitute('[[:cntrl:]]', '?', 'g')->escape(' .|\')->substitute('&', '&&', 'g')
enddef

# `items`: text and what a click on it does.
def SetBar(window: number, items: list<list<string>>)
  Clear(window)
  setwinvar(window, 'ide_companion_bar', winbufnr(window))
  var position = 0
  for [text, command] in items
    position += 1
    win_execute(window, printf('nnoremenu 1.%d WinBar.%s %s', position, ToName(text), command))
  endfor
enddef

# Joins the first set of items of each part that fits, and as much of the notes as fits then.
def Fit(parts: list<list<list<list<string>>>>, notes: string, width: number): list<list<string>>
  var chosen: list<list<string>> = []
  for forms in parts
    for items in forms
      if WidthOf(chosen + items) <= width
        chosen += items
        break
      endif
    endfor
  endfor
  const room = width - WidthOf(chosen) - gap - padding
  if notes == '' || room < least_cut
    return chosen
  endif
  const shown = strdisplaywidth(notes) <= room ? notes : printf('%.*S…', room - 1, notes)
  return chosen + [[shown, '<Nop>']]
enddef

def WidthOf(items: list<list<string>>): number
  var width = 0
  for [text, _] in items
    width += strdisplaywidth(text) + padding + gap
  endfor
  return width
enddef

# One item that does nothing, in several lengths.
def Words(forms: list<string>): list<list<list<string>>>
  return mapnew(forms, (_, text) => [[text, '<Nop>']])
enddef

# What the user must know about the file before the decision.
def Notes(proposal: dict<any>): string
  const buffer = text_of.BufferOf(proposal.filePath)
  const unsaved = buffer > 0 && getbufvar(buffer, '&modified') ? ['Your unsaved changes are not in it.'] : []
  const edit = proposal_of.IsReadOnly(proposal) ? [':IdeCompanion edit lets you edit your own version.'] : []
  return join(unsaved + edit + proposal.notes, ' ')
enddef

# `:w` does nothing where the option 'write' is off.
def Keys(): list<list<list<string>>>
  const key = &write ? ':w' : 'ZZ'
  const [Accept, Reject] = ['<Cmd>IdeCompanion accept<CR>', '<Cmd>IdeCompanion reject<CR>']
  return [
    [[key .. ' accepts', Accept], [':q rejects', Reject]],
    [[key .. ' yes', Accept], [':q no', Reject]],
    [[key .. ' yes', Accept]],
  ]
enddef

# None without comments.
def Comments(proposal: dict<any>): list<list<list<string>>>
  const count = len(proposal.comments)
  return count == 0 ? [] : Words([count == 1 ? '1 comment' : count .. ' comments', count .. 'c'])
enddef

def SetProposed(proposal: dict<any>)
  const window: number = proposal.view.proposed
  const width = winwidth(window)
  const [agent, label] = [proposal.agent, proposal.label]
  # What a diff shows badly, and how it stands to its file: none where there is nothing to say.
  const begin = [Words(proposal.facts[: 0]), Keys(), Words(get(proposal, 'words', [])[1 :])]
  if proposal.ended != ''
    const closes = [[[':q closes', '<Cmd>IdeCompanion reject<CR>']]]
    const ended = Words([proposal.ended .. ', nobody waits for this any more', proposal.ended])
    SetBar(window, Fit([closes, ended], '', width))
  elseif proposal_of.IsReadOnly(proposal)
    const who = Words([printf('%s: %s', agent, label), agent])
    SetBar(window, Fit(begin + [Words(['read-only']), Comments(proposal), who], proposal.readOnlyReason, width))
  elseif proposal.view.base > 0
    const who = Words([agent .. ' proposes', agent])
    SetBar(window, Fit(begin + [Comments(proposal), who, Words([']c next change, do reverts it'])], '', width))
  else
    # Without the original next to it, nothing else names the file.
    const who = Words([printf('%s proposes %s', agent, label), printf('%s: %s', agent, label), agent])
    SetBar(window, Fit(begin + [Comments(proposal), who], Notes(proposal), width))
  endif
enddef

# Puts it above the windows of a view.
export def Set(proposal: dict<any>)
  if !has('menu')
    return
  endif
  const window: number = proposal.view.base
  if window > 0
    const label = proposal.label
    const what = Words([label .. ' on disk', label, fnamemodify(label, ':t')])
    SetBar(window, Fit([what], Notes(proposal), winwidth(window)))
  endif
  SetProposed(proposal)
enddef

# Items without an action, above a window of no proposal.
export def SetTexts(window: number, texts: list<string>)
  if has('menu')
    SetBar(window, mapnew(texts, (_, text) => [text, '<Nop>']))
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
