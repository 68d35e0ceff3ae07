;;; comments-test.el --- Comments on proposals -*- lexical-binding: t; -*-

;;; Commentary:

;; From being written to reaching an agent, or waiting.

;;; Code:

(require 'fixture)

(defun ide-companion-test-comment (id first last quote text)
  "The comment ID as the program gets it: TEXT on the lines FIRST to LAST, which are QUOTE."
  (list :id id :side "proposed" :startLine first :endLine last :quote quote :text text))

(defun ide-companion-test-saved ()
  "The comments on each proposal as the program has them, the latest first."
  (mapcar (lambda (params) (append (plist-get params :comments) nil))
          (reverse (ide-companion-test-sent :companion/comments))))

(defun ide-companion-test-commented (&rest fields)
  "Go to a proposal with FIELDS that has a comment on its second line."
  (prog1 (apply #'ide-companion-test-propose fields)
    (ide-companion-next-proposal)
    (ide-companion-test-keys "M-< C-n C-c ; why? RET")))

(ide-companion-deftest "comments on a line and on a region are saved, shown, counted, and sent with a rejection"
  (ide-companion-test-commented)
  (should (equal (ide-companion-test-sent :companion/comments)
                 (list (list :id "1" :comments (vector (ide-companion-test-comment "1" 2 2 "2" "why?"))))))
  (should (string-search "with your comment: C-c C-a, C-c C-w" (ide-companion--header)))
  (let ((transient-mark-mode t))
    (ide-companion-test-keys "M-< C-SPC C-n C-n C-c ; too SPC long RET")
    (should-not (region-active-p)))
  (should (string-search "with 2 comments" (ide-companion--header)))
  (should (string-match-p "\\`one\ntwo\n2 \n.why\\? \n.too long\nthree\n\\'\\|\\`one\ntwo\n2 \n.too long \n.why\\?\nthree\n\\'"
                          (ide-companion-test-shown)))
  (let ((both (list (ide-companion-test-comment "2" 1 2 "one\n2" "too long")
                    (ide-companion-test-comment "1" 2 2 "2" "why?"))))
    (should (equal (car (ide-companion-test-saved)) both))
    (ide-companion-test-keys "C-c C-w")
    (should (equal (ide-companion-test-sent :companion/diffRejected)
                   (list (list :id "1" :comments (vconcat both)))))))

(ide-companion-deftest "a comment follows its lines, is changed where it is, and deleted by an empty text"
  (ide-companion-test-commented)
  ;; A line above it, more of its line, and a line below it.
  (ide-companion-test-keys "C-a new RET C-e nd RET below C-p C-c ; what SPC for? C-a C-d W RET")
  (should (equal (car (ide-companion-test-saved))
                 (list (ide-companion-test-comment "1" 3 3 "2nd" "Why?what for?"))))
  (should (string-match-p "\n2nd \n.Why\\?what for\\?\nbelow\n" (ide-companion-test-shown)))
  (ide-companion-test-keys "C-c ; C-a C-k RET")
  (should (equal (car (ide-companion-test-saved)) nil))
  (should-not (string-search "what for?" (ide-companion-test-shown)))
  (should-not (string-search "comment" (ide-companion--header))))

(ide-companion-deftest "a comment that is cancelled changes nothing"
  (ide-companion-test-commented)
  (condition-case nil (ide-companion-test-keys "C-c ; no C-g") (quit))
  (setq this-command nil)
  (should (equal (length (ide-companion-test-saved)) 1)))

(ide-companion-deftest "an acceptance carries comments on the side on disk as well; a plain one carries none"
  (let ((ide-companion-diff-layout 'side-by-side))
    (ide-companion-test-propose)
    (ide-companion-next-proposal)
    (select-window (get-buffer-window " *Gemini CLI: main.js on disk*"))
    (ide-companion-test-keys "M-< C-n C-c ; keep SPC this RET")
    (should (string-match-p "\\`one\ntwo .keep this\nthree\n\\'" (ide-companion-test-shown)))
    (ide-companion-test-keys "C-c C-a")
    (ide-companion-test-commented :id "2")
    (ide-companion-test-keys "C-c C-c"))
  (should (equal (ide-companion-test-sent :companion/diffAccepted)
                 '((:id "1" :content "one\n2\nthree\n"
                    :comments [(:id "1" :side "original" :startLine 2 :endLine 2 :quote "two" :text "keep this")])
                   (:id "2" :content "one\n2\nthree\n")))))

(ide-companion-deftest "a proposal whose agent takes no edits takes comments"
  (ide-companion-test-commented :readOnlyReason "It writes its own text.")
  (ide-companion-test-keys "C-c C-w")
  (should (equal (ide-companion-test-sent :companion/diffRejected)
                 (list (list :id "1" :comments (vector (ide-companion-test-comment "1" 2 2 "2" "why?")))))))

(ide-companion-deftest "a decision that is to carry comments says how to write one"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (should (equal (should-error (ide-companion-say-why) :type 'user-error)
                 '(user-error "Comment on a line of the proposal first: C-c ;")))
  (should-not (ide-companion-test-rejected)))

(ide-companion-deftest "a comment on a change that is decided meanwhile is not lost"
  (ide-companion-test-propose)
  (ide-companion-next-proposal)
  (cl-letf (((symbol-function 'read-string)
             (lambda (&rest _) (setq ide-companion--proposals nil) "mine")))
    (ide-companion-comment 1 1))
  (should (equal (car kill-ring) "mine"))
  (should (equal (car ide-companion-test-said) "No agent waits for this any more; your comment is in the kill ring"))
  (should-not (ide-companion-test-saved)))

(ide-companion-deftest "comments that reach no prompt are in the kill ring, and a message says so"
  (let ((waiting (list :id "a" :agent "Toy" :label "main.js" :reason "It left." :message "@main.js:2\nwhy?")))
    (ide-companion--comments-recovered (append '(:wasSent t) waiting))
    (should (equal (car kill-ring) "@main.js:2\nwhy?"))
    (should (equal (car ide-companion-test-said) "Your comments on main.js are in the kill ring: paste them into Toy"))
    (ide-companion--comments-recovered (append '(:wasSent :json-false) waiting))
    (should (equal (car ide-companion-test-said)
                   "Your comments on main.js wait: It left.  M-x ide-companion-comments lists them"))
    (should (= (length kill-ring) 1))
    (ide-companion--comments-delivered '(:agent "Toy" :by "prompt"))
    (should (equal (car ide-companion-test-said) "Your comments are in the prompt of Toy: press Enter there"))))

(defun ide-companion-test-with-waiting (agent body)
  "Call BODY in the list of comments, of which AGENT takes some into its prompt."
  (let ((known [(:id "a" :agent "Toy" :filePath "/app/main.js" :label "main.js" :at 0 :reason "It left."
                 :message "@main.js:2\nwhy?")]))
    (cl-letf (((symbol-function 'yes-or-no-p) #'always)
              ((symbol-function 'ide-companion--fetch)
               (lambda (method params)
                 (ide-companion-test-record method (if (hash-table-p params) nil params))
                 (pcase method
                   (:companion/waitingComments (list :comments known))
                   (:companion/sendComments (when agent
                                              (setq known [])
                                              (list :agent agent)))
                   (:companion/discardComments (setq known []))))))
      (ide-companion-comments)
      (funcall body))))

(ide-companion-deftest "comments that wait are listed, shown, and discarded"
  (ide-companion-test-with-waiting
   nil
   (lambda ()
     (should (equal (buffer-name (window-buffer)) "*ide-companion comments*"))
     (should (string-match-p "main\\.js .* It left\\. .*Toy" (buffer-string)))
     (ide-companion-test-keys "RET")
     (should (equal (with-current-buffer "*ide-companion message*" (buffer-string)) "@main.js:2\nwhy?"))
     (ide-companion-test-keys "D")
     (should (equal (ide-companion-test-sent :companion/discardComments) '((:id "a"))))
     (should (equal (car ide-companion-test-said) "No comments wait")))))

(ide-companion-deftest "comments that wait are put into a prompt, or copied when none can be reached"
  (ide-companion-test-with-waiting
   nil
   (lambda ()
     (ide-companion-test-keys "s")
     (should (equal (car kill-ring) "@main.js:2\nwhy?"))
     (should (string-search "paste them into Toy" (car ide-companion-test-said)))))
  (ide-companion-test-with-waiting
   "Toy 2"
   (lambda ()
     (ide-companion-test-keys "s")
     (should (equal (ide-companion-test-sent :companion/sendComments) '((:id "a") (:id "a"))))
     (should (equal (car ide-companion-test-said)
                    "Your comments are in the prompt of Toy 2: press Enter there")))))

(ide-companion-deftest "at the start a message names comments that wait"
  (let ((ide-companion--roots '("/app"))
        (ide-companion-test-result '(:comments [(:filePath "/app/a.js" :label "a.js")])))
    (ide-companion--announce-stored
     :companion/waitingComments "Your comments on %s wait: M-x ide-companion-comments lists them")
    (ide-companion-test-until (lambda () ide-companion-test-said))
    (should (equal (car ide-companion-test-said)
                   "Your comments on a.js wait: M-x ide-companion-comments lists them"))))

(provide 'comments-test)
;;; comments-test.el ends here
