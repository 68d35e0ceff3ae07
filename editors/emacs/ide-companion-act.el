;;; ide-companion-act.el --- What the user does with rows of lists  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Tells the program what the user does with a row of one of its lists, or
;; with several, and shows the effect.

;;; Code:

(require 'ide-companion-decision)
(require 'ide-companion-log)
(require 'ide-companion-proposal)
(require 'ide-companion-rpc)
(require 'ide-companion-text)

(defun ide-companion--act (params)
  "What the program answers to PARAMS of `companion/act'.
The answer is nil when the user answers a question of the program with no."
  (ide-companion--send-drafts)
  (let* ((effect (ide-companion--fetch :companion/act params))
         (question (plist-get (plist-get effect :ask) :question)))
    (cond ((null question) effect)
          ((funcall (if (equal (plist-get params :action) "discard") #'yes-or-no-p #'y-or-n-p)
                    (concat (replace-regexp-in-string "\n *" "; " (string-replace "?\n  " "? " question)) " "))
           (ide-companion--act (append params '(:sure t)))))))

(defun ide-companion--act-on-waiting (action &optional id more)
  "Do ACTION of the program about the proposal ID, or about all that wait.
MORE are other parameters of `companion/act'."
  (ide-companion--take-effect
   (ide-companion--act (append (list :list "waiting" :id (or id "") :action action) more))))

(defun ide-companion--decide-about (decided)
  "Send the user's decision about what DECIDED names."
  (dolist (proposal (copy-sequence ide-companion--proposals))
    (when (seq-contains-p (plist-get decided :ids) (ide-companion--proposal-id proposal))
      (ide-companion--decide proposal
                             (if (eq t (plist-get decided :accept)) :companion/diffAccepted
                               :companion/diffRejected)))))

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
      (ide-companion--show-text "*ide-companion diff*" #'diff-mode (plist-get compared :patch)))
    (when message
      (ide-companion--say "%s%s" (ide-companion--sentence message effect)
                          (if next (format "  M-x ide-companion-%s" next) "")))))

(defun ide-companion--news (params)
  "`companion/news' with PARAMS: show it, and the way to its list or to the page."
  (let ((list (plist-get params :list)))
    (ide-companion--say "%s%s" (ide-companion--sentence (plist-get params :text) params)
                        (if list (format "  M-x ide-companion-%s" list) ""))))

(defun ide-companion--file-of (stored)
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
  (let* ((file (ide-companion--file-of put)) (name (buffer-name file)))
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

(provide 'ide-companion-act)
;;; ide-companion-act.el ends here
