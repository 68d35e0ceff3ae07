vim9script
# The line above each side of a proposal: what it is, and how to decide, also with the mouse.

# A name of a menu, in which some characters have a meaning.
def ToName(text: string): string
  return text->substitute('[[:cntrl:]]', '?', 'g')->escape(' .|\')->substitute('&', '&&', 'g')
enddef

# `items`: text and what a click on it does.
def SetBar(window: number, items: list<list<string>>)
  win_execute(window, 'silent! aunmenu WinBar')
  var position = 0
  for [text, command] in items
    position += 1
    win_execute(window, printf('nnoremenu 1.%d WinBar.%s %s', position, ToName(text), command))
  endfor
enddef

# What the user must know of the file before deciding.
def Notes(proposal: dict<any>): string
  var notes: list<string> = copy(proposal.notes)
  const buffer = bufnr('^' .. escape(proposal.filePath, '\*?[]{},') .. '$')
  if buffer > 0 && getbufvar(buffer, '&modified')
    add(notes, 'Your unsaved edits are not in this comparison.')
  endif
  return join(notes, ' ')
enddef

def Decisions(proposal: dict<any>): list<list<string>>
  if proposal.orphan
    return [['The companion has ended, nobody waits for this any more.', '<Nop>']]
  endif
  # Without the original beside it, nothing else tells of which file it is.
  const what = proposal.view.base > 0 ? '' : ' ' .. proposal.label
  return [
    [proposal.agent .. ' proposes' .. what, '<Nop>'],
    ['Accept :w', '<Cmd>IdeCompanion accept<CR>'],
    ['Reject :q', '<Cmd>IdeCompanion reject<CR>'],
  ]
enddef

# Puts it above the windows of a view.
export def Set(proposal: dict<any>)
  if !has('menu')
    return
  endif
  const notes = Notes(proposal)
  const more = notes == '' ? [] : [[notes, '<Nop>']]
  if proposal.view.base > 0
    SetBar(proposal.view.base, [[proposal.label .. ' on disk', '<Nop>']] + more)
    SetBar(proposal.view.proposed, Decisions(proposal))
  else
    SetBar(proposal.view.proposed, Decisions(proposal) + more)
  endif
enddef

# For a window that stays although its proposal goes.
export def Clear(window: number)
  win_execute(window, 'silent! aunmenu WinBar')
enddef
