;;; ide-companion-stored.el --- Lists of what the program stores  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Recovered edits are text that the user typed in a proposal and that its file
;; does not hold.  The program stores them, and comments that no agent has
;; received, until the user discards them.  It stores as well what was decided.

;;; Code:

(require 'ide-companion-decision)
(require 'ide-companion-evil)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-rpc)
(require 'ide-companion-text)
(require 'ide-companion-windows)
(require 'ide-companion-written)

(autoload 'ide-companion--ediff-buffers "ide-companion-ediff")

(defconst ide-companion--stored-keys
  '(("show" . "RET") ("restore" . "r") ("keep" . "a") ("revert" . "t") ("undo" . "u") ("reapply" . "p") ("send" . "s") ("copy" . "w")
    ("discard" . "D"))
  "The keys of what can be done with a row, by the names of the program.")

(defvar ide-companion-stored-mode-map
  (let ((map (make-sparse-keymap)))
    (pcase-dolist (`(,code . ,key) ide-companion--stored-keys)
      (define-key map (kbd key) (lambda () (interactive) (ide-companion--act-here code))))
    (define-key map "e" #'ide-companion-stored-ediff)
    map)
  "Keys in a list of what the program stores.")

(defvar-local ide-companion--stored-list nil "What this buffer lists, by the name of the program.")

(define-derived-mode ide-companion-stored-mode tabulated-list-mode "Stored"
  "A list of what the program stores."
  (setq tabulated-list-format [("File" 18 t) ("When" 11 t) ("Why" 34 t) ("Agent" 0 t)]
        tabulated-list-padding 1)
  (setq-local revert-buffer-function (lambda (&rest _) (ide-companion--list-stored ide-companion--stored-list)))
  (tabulated-list-init-header)
  (ide-companion--evil-list-keys ide-companion-stored-mode-map))

(defun ide-companion--stored-entry (row)
  "ROW of the program as a line of the list."
  (list row (vector (ide-companion--short (plist-get row :label) 18)
                    (format-time-string "%m-%d %R" (/ (plist-get row :at) 1000))
                    (plist-get row :text)
                    (plist-get row :agent))))

(defun ide-companion--stored-hints (row)
  "What the keys do with ROW, for people."
  (concat (if (plist-get row :detail) "RET shows them, " "")
          (mapconcat (lambda (action)
                       (format "%s %s" (cdr (assoc (plist-get action :code) ide-companion--stored-keys))
                               (plist-get action :name)))
                     (plist-get row :actions) ", ")))

(defun ide-companion--list-stored (list)
  "Show LIST of the program, or close it when there is nothing in it."
  (let* ((answer (ide-companion--fetch :companion/list (list :list list)))
         (rows (append (plist-get answer :rows) nil))
         (buffer (get-buffer-create (format "*ide-companion %s*" list))))
    (with-current-buffer buffer
      (unless (derived-mode-p 'ide-companion-stored-mode) (ide-companion-stored-mode))
      (when (equal list "written")
        (setq next-error-function #'ide-companion--next-listed
              next-error-last-buffer buffer))
      (setq ide-companion--stored-list list
            tabulated-list-entries (mapcar #'ide-companion--stored-entry rows))
      (tabulated-list-print t))
    (cond
     (rows
      (ide-companion--pop-to-list buffer)
      (ide-companion--say "%s" (ide-companion--stored-hints (car rows))))
     (t
      (ide-companion--say "%s" (plist-get answer :none))
      (when (get-buffer-window buffer) (quit-windows-on buffer t))))))

(defun ide-companion--stored-here ()
  "The row at point."
  (or (tabulated-list-get-id) (user-error "There is nothing here")))

(defun ide-companion--act (params)
  "What the program answers to PARAMS of `companion/act'.
It is nil when the user answers a question of the program with no."
  (let* ((effect (ide-companion--fetch :companion/act params))
         (question (plist-get (plist-get effect :ask) :question)))
    (cond ((null question) effect)
          ((funcall (if (equal (plist-get params :action) "discard") #'yes-or-no-p #'y-or-n-p)
                    (concat (replace-regexp-in-string "\n *" "; " (string-replace "?\n  " "? " question)) " "))
           (ide-companion--act (append params '(:sure t)))))))

(defun ide-companion--act-on (row code)
  "What the program answers when CODE is done with ROW of this list."
  (ide-companion--act (list :list ide-companion--stored-list :id (plist-get row :id) :action code)))

(defun ide-companion--act-on-waiting (action &optional proposal more)
  "Do ACTION of the program about PROPOSAL, or about all that wait.
MORE are other parameters of `companion/act'."
  (ide-companion--send-drafts)
  (ide-companion--take-effect
   (ide-companion--act
    (append (list :list "waiting" :id (if proposal (ide-companion--proposal-id proposal) "") :action action)
            more))))

(defun ide-companion--decide-about (decided)
  "Send the user's decision about what DECIDED names."
  (dolist (proposal (copy-sequence ide-companion--proposals))
    (when (and (not (ide-companion--proposal-orphan proposal))
               (seq-contains-p (plist-get decided :ids) (ide-companion--proposal-id proposal)))
      (ide-companion--decide proposal
                             (if (eq t (plist-get decided :accept)) :companion/diffAccepted
                               :companion/diffRejected)))))

(defun ide-companion--act-here (code)
  "Do CODE with the row at point."
  (let* ((row (ide-companion--stored-here))
         (action (seq-find (lambda (one) (equal code (plist-get one :code))) (plist-get row :actions))))
    (cond
     (action (ide-companion--take-effect (ide-companion--act-on row code)))
     ((and (equal code "show") (plist-get row :detail))
      (ide-companion--show-text "*ide-companion message*" #'special-mode (plist-get row :detail)))
     (t (user-error "This list has nothing for this key")))))

(defun ide-companion--take-effect (effect)
  "Show what EFFECT the program has given to an action."
  (let ((put (plist-get effect :put))
        (compared (plist-get effect :compare))
        (decided (plist-get effect :decide))
        (next (plist-get effect :next))
        (message (plist-get effect :message)))
    (when decided (ide-companion--decide-about decided))
    (when (eq t (plist-get effect :removed)) (revert-buffer))
    (when put (ide-companion--put put))
    (when compared
      (let ((patch (plist-get compared :patch)))
        (ide-companion--show-text "*ide-companion diff*" #'diff-mode
                                  (if (equal patch "") "There is no difference.\n" patch))))
    (when message
      (ide-companion--say "%s%s" (ide-companion--sentence message effect)
                          (if next (format "  M-x ide-companion-%s" next) "")))))

(defun ide-companion--news (params)
  "`companion/news' with PARAMS: show it, and the way to its list."
  (let ((list (plist-get params :list)))
    (ide-companion--say "%s%s" (ide-companion--sentence (plist-get params :text) params)
                        (if list (format "  M-x ide-companion-%s lists them" list) ""))))

(defun ide-companion--stored-file (stored)
  "The buffer of the file of STORED."
  (ide-companion--visit (ide-companion--local-name (plist-get stored :filePath))))

(defun ide-companion--show-text (name mode text)
  "Show TEXT in the read-only buffer NAME, which is in MODE."
  (with-current-buffer (get-buffer-create name)
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert text)
      (funcall mode)
      (ide-companion--show-direction-controls)
      (setq buffer-read-only t)
      (goto-char (point-min)))
    (display-buffer (current-buffer))))

(defun ide-companion--put (put)
  "Do PUT of the program: make a text that of the buffer of its file."
  (let* ((file (ide-companion--stored-file put)) (name (buffer-name file)))
    (when (and (eq t (plist-get put :onlySaved)) (buffer-modified-p file))
      (user-error "%s has unsaved edits: save them first" name))
    (when (or (not (buffer-modified-p file))
              (y-or-n-p (format "%s has unsaved edits; replace them? " name)))
      (pop-to-buffer file)
      (barf-if-buffer-read-only)
      ;; The text is that of the whole file, and the user sees and undoes all of it.
      (widen)
      (ide-companion--replace-contents file (plist-get put :content))
      (set-buffer-modified-p t)
      (ide-companion--say "Save %s to keep %s, or undo to go back" name (plist-get put :what)))))

;;; Hunks of what agents wrote

(defvar-local ide-companion--listed-hunk nil "The id of the hunk that the user has gone to last.")

(defun ide-companion--listed-hunks ()
  "The hunks of this list, in the order of its rows: (POSITION ROW HUNK)."
  (let (found)
    (save-excursion
      (goto-char (point-min))
      (while (not (eobp))
        (let ((row (tabulated-list-get-id)))
          (seq-doseq (hunk (plist-get row :hunks))
            (push (list (point) row hunk) found)))
        (forward-line)))
    (nreverse found)))

(defun ide-companion--next-listed (count reset)
  "Go COUNT hunks on from the row at point, or with RESET from the start.
A hunk that is decided since in the buffer of its file does not count."
  (when reset
    (goto-char (point-min))
    (setq ide-companion--listed-hunk nil))
  (pcase-let* ((list (current-buffer))
               (here (line-beginning-position))
               (hunks (ide-companion--listed-hunks))
               (last (seq-position hunks (cons here ide-companion--listed-hunk)
                                   (lambda (one visited)
                                     (equal (cons (car one) (plist-get (nth 2 one) :id)) visited))))
               (before (seq-count (lambda (one) (< (car one) here)) hunks))
               (at (+ count (or last (if (> count 0) (1- before) before))))
               (`(,position ,row ,hunk) (or (and (>= at 0) (nth at hunks))
                                            (user-error "No more changes in this list")))
               (file (ide-companion--stored-file row))
               (line (with-current-buffer file (ide-companion--written-line hunk))))
    (setq ide-companion--listed-hunk (plist-get hunk :id))
    (goto-char position)
    (dolist (window (get-buffer-window-list list nil t))
      (set-window-point window position))
    (if (null line)
        (ide-companion--next-listed (if (< count 0) -1 1) nil)
      (if (eq (window-buffer) list) (pop-to-buffer file t) (pop-to-buffer-same-window file))
      (goto-char (ide-companion--line-position line)))))

(defun ide-companion-stored-ediff ()
  "Compare the edits at point with their file by Ediff."
  (interactive)
  (let* ((row (ide-companion--stored-here))
         (after (plist-get (plist-get (ide-companion--act-on row "show") :compare) :after)))
    (with-current-buffer (get-buffer-create (format "*edits: %s*" (plist-get row :label)))
      (ide-companion--put-text (plist-get after :text))
      (ide-companion--set-mode (ide-companion--local-name (plist-get row :filePath)))
      (ide-companion--show-direction-controls)
      (ide-companion--ediff-buffers (ide-companion--stored-file row) (current-buffer)))))

;;;###autoload
(defun ide-companion-edits ()
  "List recovered edits: text that you typed in proposals and that is in no file.
In the list you compare them with the file, restore or discard them."
  (interactive)
  (ide-companion--list-stored "edits"))

;;;###autoload
(defun ide-companion-history ()
  "List what was decided about files of the open folders.
In the list you see each as a diff, take an accepted change out of its
file, and put your version of a change into it again."
  (interactive)
  (ide-companion--list-stored "history"))

;;;###autoload
(defun ide-companion-written ()
  "List what agents wrote without asking, by turn and file.
In the list you see each as a diff, keep it, or revert it."
  (interactive)
  (ide-companion--list-stored "written"))

;;;###autoload
(defun ide-companion-comments ()
  "List your comments on proposals that no agent has received.
In the list you read, send, copy or discard them."
  (interactive)
  (ide-companion--list-stored "comments"))

(provide 'ide-companion-stored)
;;; ide-companion-stored.el ends here
